package io.hiroba.inbox;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * An OpenSSH public key in its one-line form.
 *
 * @param text kind and key, without the comment
 * @param comment the rest of the line, mostly the owner; may be empty
 * @param fingerprint as {@code ssh-keygen -l} shows it
 */
public record SshPublicKey(String kind, String text, String comment, String fingerprint) {

    private static final int MAX_LENGTH = 16_384;
    private static final int MIN_RSA_BITS = 2048;
    private static final int MAX_RSA_BITS = 16_384;
    private static final Pattern SPACE = Pattern.compile("[ \\t]+");

    /** Parses a pasted line; anything but a public key of a safe kind is a problem. */
    public static SshPublicKey parse(String pasted) {
        var line = pasted.strip();
        if (line.contains("PRIVATE KEY")) {
            throw InboxProblem.invalid("key", Text.of("inbox.field.private-key"));
        }
        if (line.length() > MAX_LENGTH || line.lines().count() != 1) {
            throw malformed();
        }
        var parts = SPACE.split(line, 3);
        if (parts.length < 2) {
            throw malformed();
        }
        var blob = blob(parts[1]);
        check(parts[0], new WireReader(blob));
        var text = parts[0] + " " + Base64.getEncoder().encodeToString(blob);
        return new SshPublicKey(parts[0], text, parts.length == 3 ? parts[2].strip() : "", fingerprint(blob));
    }

    private static byte[] blob(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
    }

    private static void check(String kind, WireReader wire) {
        if (!wire.text().equals(kind)) {
            throw malformed();
        }
        switch (kind) {
            case "ssh-ed25519" -> wire.bytes(32);
            case "ssh-rsa" -> rsa(wire);
            case "ecdsa-sha2-nistp256" -> point(wire, "nistp256", 65);
            case "ecdsa-sha2-nistp384" -> point(wire, "nistp384", 97);
            case "ecdsa-sha2-nistp521" -> point(wire, "nistp521", 133);
            case "sk-ssh-ed25519@openssh.com" -> {
                wire.bytes(32);
                wire.text();
            }
            case "sk-ecdsa-sha2-nistp256@openssh.com" -> {
                point(wire, "nistp256", 65);
                wire.text();
            }
            default -> throw InboxProblem.invalid("key", Text.of("inbox.field.key-kind"));
        }
        if (!wire.isAtEnd()) {
            throw malformed();
        }
    }

    private static void rsa(WireReader wire) {
        wire.number();
        int bits = wire.number().bitLength();
        if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
            throw InboxProblem.invalid(
                    "key",
                    Text.of(
                            "inbox.field.key-bits",
                            "min",
                            Integer.toString(MIN_RSA_BITS),
                            "max",
                            Integer.toString(MAX_RSA_BITS),
                            "bits",
                            Integer.toString(bits)));
        }
    }

    private static void point(WireReader wire, String curve, int length) {
        if (!wire.text().equals(curve) || wire.bytes(length)[0] != 4) {
            throw malformed();
        }
    }

    private static String fingerprint(byte[] blob) {
        return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(Sha256.of(blob));
    }

    private static InboxProblem malformed() {
        return InboxProblem.invalid("key", Text.of("inbox.field.key-line"));
    }

    /** Reads the SSH wire format: each part after its length (RFC 4251). */
    private static final class WireReader {

        private final ByteBuffer rest;

        WireReader(byte[] bytes) {
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
                throw malformed();
            }
            return number;
        }

        /** A part of exactly this length. */
        byte[] bytes(int length) {
            var bytes = part();
            if (bytes.length != length) {
                throw malformed();
            }
            return bytes;
        }

        boolean isAtEnd() {
            return !rest.hasRemaining();
        }

        private byte[] part() {
            if (rest.remaining() < Integer.BYTES) {
                throw malformed();
            }
            int length = rest.getInt();
            if (length < 0 || length > rest.remaining()) {
                throw malformed();
            }
            var bytes = new byte[length];
            rest.get(bytes);
            return bytes;
        }
    }
}
