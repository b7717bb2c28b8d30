package io.hiroba.platform.http;

import java.net.InetAddress;

/** A range of addresses: {@code 10.0.0.0/8}, {@code fd00::/8}, or one address. */
record Network(InetAddress base, int bits) {

    /** @throws IllegalArgumentException if {@code text} is not such a range */
    static Network parse(String text) {
        int slash = text.indexOf('/');
        try {
            var base = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int most = base.getAddress().length * 8;
            int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
            if (bits >= 0 && bits <= most) {
                return new Network(base, bits);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("holds `%s`, which is not an address or network".formatted(text), e);
        }
        throw new IllegalArgumentException("holds `%s`, whose prefix is out of range".formatted(text));
    }

    boolean contains(InetAddress address) {
        var ours = base.getAddress();
        var theirs = address.getAddress();
        if (ours.length != theirs.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit & 7);
            if ((ours[bit >> 3] & mask) != (theirs[bit >> 3] & mask)) {
                return false;
            }
        }
        return true;
    }
}
