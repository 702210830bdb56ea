/** Discovery over mDNS (RFC 6762) and DNS-SD (RFC 6763). */
package dev.weft.mdns;
