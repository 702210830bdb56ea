package dev.weft.coap;

import dev.weft.api.bus.Transport;
import java.util.List;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.server.MessageDeliverer;
import org.eclipse.californium.elements.util.Bytes;

/** Hands received frames on and answers them; anything but a frame gets CoAP's error code. */
final class FrameDeliverer implements MessageDeliverer {
  private final Transport.Receiver receiver;

  FrameDeliverer(Transport.Receiver receiver) {
    this.receiver = receiver;
  }

  @Override
  public void deliverRequest(Exchange exchange) {
    Request request = exchange.getRequest();
    CoAP.ResponseCode code = check(request);
    if (code == CoAP.ResponseCode.CHANGED) {
      byte[] frame = request.getPayload();
      receiver.received(
          request.getSourceContext().getPeerAddress(), frame == null ? Bytes.EMPTY : frame);
    }
    exchange.sendResponse(new Response(code));
  }

  private static CoAP.ResponseCode check(Request request) {
    OptionSet options = request.getOptions();
    if (!options.getUriPath().equals(List.of(FrameEndpoint.RESOURCE))) {
      return CoAP.ResponseCode.NOT_FOUND;
    }
    if (request.getCode() != CoAP.Code.POST) {
      return CoAP.ResponseCode.METHOD_NOT_ALLOWED;
    }
    if (options.hasBlock1() || options.hasBlock2()) {
      return CoAP.ResponseCode.BAD_OPTION;
    }
    if (request.getPayloadSize() > FrameEndpoint.MAXIMUM_FRAME) {
      return CoAP.ResponseCode.REQUEST_ENTITY_TOO_LARGE;
    }
    return CoAP.ResponseCode.CHANGED;
  }

  @Override
  public void deliverResponse(Exchange exchange, Response response) {
    exchange.getRequest().setResponse(response);
  }
}
