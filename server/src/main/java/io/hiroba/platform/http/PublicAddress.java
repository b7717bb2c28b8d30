package io.hiroba.platform.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/** Distinguishes public IP addresses from those of this machine or its network. */
public final class PublicAddress {

    /** A range of addresses: the first of them, and how many bits all of them share. */
    private record Range(InetAddress start, int bits) {

        static Range of(String text) {
            var parts = text.split("/", 2);
            return new Range(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1]));
        }

        boolean holds(byte[] address) {
            var first = start.getAddress();
            if (address.length != first.length) {
                return false;
            }
            int whole = bits / 8;
            int rest = bits % 8;
            return Arrays.equals(address, 0, whole, first, 0, whole)
                    && (rest == 0 || ((address[whole] ^ first[whole]) & 0xff) >>> (8 - rest) == 0);
        }
    }

    /** This network, private, shared by a carrier, loopback, link-local, special, for examples, multicast, reserved. */
    private static final List<Range> NOT_PUBLIC_4 = ranges(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4");

    private static final Range PUBLIC_6 = Range.of("2000::/3");

    /** Special, for examples, and ways to write an address of version 4. */
    private static final List<Range> NOT_PUBLIC_6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

    private PublicAddress() {}

    private static List<Range> ranges(String... ranges) {
        return Arrays.stream(ranges).map(Range::of).toList();
    }

    /** One of version 4 inside one of version 6 is already told as what it is by {@link InetAddress}. */
    public static boolean isPublic(InetAddress address) {
        var bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            return NOT_PUBLIC_4.stream().noneMatch(range -> range.holds(bytes));
        }
        return PUBLIC_6.holds(bytes) && NOT_PUBLIC_6.stream().noneMatch(range -> range.holds(bytes));
    }
}
