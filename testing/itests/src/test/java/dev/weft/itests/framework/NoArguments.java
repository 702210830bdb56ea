package dev.weft.itests.framework;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Lets a method have arguments that only the framework can give: outside they are never used. */
public final class NoArguments implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return true;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return null;
  }
}
