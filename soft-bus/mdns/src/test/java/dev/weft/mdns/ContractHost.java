package dev.weft.mdns;

import dev.weft.testkit.DiscoveryContract;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Runs a part of the tests of {@link MdnsContract} as a program, one after the other: {@code
 * ContractHost INTERFACE PART PARTS}.
 */
final class ContractHost {
  private ContractHost() {}

  public static void main(String[] arguments) throws ReflectiveOperationException {
    int part = Integer.parseInt(arguments[1]);
    int parts = Integer.parseInt(arguments[2]);
    List<Method> tests =
        Arrays.stream(DiscoveryContract.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .sorted(Comparator.comparing(Method::getName))
            .toList();
    int failures = 0;
    for (int i = part; i < tests.size(); i += parts) {
      failures += run(new MdnsContract(arguments[0]), tests.get(i)) ? 0 : 1;
    }
    System.out.println("ENDED with " + failures + " failures");
  }

  private static boolean run(MdnsContract contract, Method test)
      throws ReflectiveOperationException {
    try {
      invoke(contract, test);
      System.out.println("PASSED " + test.getName());
      return true;
    } catch (InvocationTargetException e) {
      System.out.println("NOT PASSED " + test.getName() + ": " + e.getCause());
      return false;
    } finally {
      for (Method after : DiscoveryContract.class.getDeclaredMethods()) {
        if (after.isAnnotationPresent(AfterEach.class)) {
          invoke(contract, after);
        }
      }
    }
  }

  private static void invoke(MdnsContract contract, Method method)
      throws ReflectiveOperationException {
    method.setAccessible(true);
    method.invoke(contract);
  }
}
