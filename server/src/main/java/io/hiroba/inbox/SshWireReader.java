package io.hiroba.inbox;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the SSH wire format: each part after its length (RFC 4251). */
final class SshWireReader {

    private final ByteBuffer rest;

    SshWireReader(byte[] bytes) {
        rest = ByteBuffer.wrap(bytes);
    }

    String text() {
        return new String(part(), StandardCharsets.US_ASCII);
    }

    /** A number greater than zero. */
    BigInteger number() {
        var bytes = part();
        var number = bytes.length == 0 ? BigInteger.ZERO : new BigInteger(bytes);
        if (number.signum() <= 0) {
            throw SshPublicKey.malformed();
        }
        return number;
    }

    /** A part of exactly this length. */
    byte[] bytes(int length) {
        var bytes = part();
        if (bytes.length != length) {
            throw SshPublicKey.malformed();
        }
        return bytes;
    }

    boolean isAtEnd() {
        return !rest.hasRemaining();
    }

    private byte[] part() {
        if (rest.remaining() < Integer.BYTES) {
            throw SshPublicKey.malformed();
        }
        int length = rest.getInt();
        if (length < 0 || length > rest.remaining()) {
            throw SshPublicKey.malformed();
        }
        var bytes = new byte[length];
        rest.get(bytes);
        return bytes;
    }
}
