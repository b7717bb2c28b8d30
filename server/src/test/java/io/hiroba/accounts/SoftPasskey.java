package io.hiroba.accounts;

import io.hiroba.accounts.Passkeys.Challenge;
import io.hiroba.accounts.Passkeys.PasskeyAnswer;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Sha256;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** An authenticator with one passkey, which also does what a real one would not. */
final class SoftPasskey {

    private static final int PRESENT = 0x01;
    private static final int VERIFIED = 0x04;
    private static final int WITH_KEY = 0x40;

    private final KeyPair keys;
    private final byte[] id = new byte[32];
    private final String site;
    String origin;
    boolean verifiesPerson = true;
    int counter;
    private String handle = "";

    SoftPasskey(String origin, String site) {
        this.origin = origin;
        this.site = site;
        new SecureRandom().nextBytes(id);
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    String id() {
        return text(id);
    }

    PasskeyAnswer create(Challenge challenge) {
        var options = options(challenge);
        handle = options.path("user").path("id").asString();
        var attestation = new ByteArrayOutputStream();
        // {"fmt": "none", "attStmt": {}, "authData": …} in CBOR.
        attestation.writeBytes(new byte[] {(byte) 0xa3, 0x63});
        attestation.writeBytes("fmt".getBytes(StandardCharsets.US_ASCII));
        attestation.write(0x64);
        attestation.writeBytes("none".getBytes(StandardCharsets.US_ASCII));
        attestation.write(0x67);
        attestation.writeBytes("attStmt".getBytes(StandardCharsets.US_ASCII));
        attestation.writeBytes(new byte[] {(byte) 0xa0, 0x68});
        attestation.writeBytes("authData".getBytes(StandardCharsets.US_ASCII));
        var data = concat(
                data(WITH_KEY),
                new byte[16],
                ByteBuffer.allocate(2).putShort((short) id.length).array(),
                id,
                publicKey());
        attestation.writeBytes(new byte[] {0x58, (byte) data.length});
        attestation.writeBytes(data);
        return answer(
                challenge,
                Map.of(
                        "clientDataJSON", text(client("webauthn.create", options)),
                        "attestationObject", text(attestation.toByteArray())));
    }

    PasskeyAnswer get(Challenge challenge) {
        counter++;
        var client = client("webauthn.get", options(challenge));
        var data = data(0);
        return answer(
                challenge,
                Map.of(
                        "clientDataJSON", text(client),
                        "authenticatorData", text(data),
                        "signature", text(sign(concat(data, sha256(client)))),
                        "userHandle", handle));
    }

    private PasskeyAnswer answer(Challenge challenge, Map<String, String> response) {
        var credential = Map.of(
                "id", id(),
                "rawId", id(),
                "type", "public-key",
                "response", response,
                "clientExtensionResults", Map.of());
        return new PasskeyAnswer(challenge.id(), Json.text(credential));
    }

    static JsonNode options(Challenge challenge) {
        return Json.mapper().readTree(challenge.options()).path("publicKey");
    }

    private byte[] client(String type, JsonNode options) {
        return Json.bytes(
                Map.of("type", type, "challenge", options.path("challenge").asString(), "origin", origin));
    }

    private byte[] data(int flags) {
        int all = PRESENT | (verifiesPerson ? VERIFIED : 0) | flags;
        return concat(
                Sha256.of(site),
                new byte[] {(byte) all},
                ByteBuffer.allocate(4).putInt(counter).array());
    }

    /** The public key in COSE: ES256 on P-256. */
    private byte[] publicKey() {
        var point = ((ECPublicKey) keys.getPublic()).getW();
        return concat(
                new byte[] {(byte) 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20},
                coordinate(point.getAffineX()),
                new byte[] {0x22, 0x58, 0x20},
                coordinate(point.getAffineY()));
    }

    private static byte[] coordinate(BigInteger value) {
        var bytes = value.toByteArray();
        var padded = concat(new byte[32], bytes);
        return Arrays.copyOfRange(padded, padded.length - 32, padded.length);
    }

    private byte[] sign(byte[] message) {
        try {
            var signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        return Sha256.of(new String(bytes, StandardCharsets.UTF_8));
    }

    private static byte[] concat(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (var part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
