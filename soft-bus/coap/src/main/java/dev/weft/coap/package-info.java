/** Transport and discovery over CoAP (RFC 7252). */
package dev.weft.coap;
