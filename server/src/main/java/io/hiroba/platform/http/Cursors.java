package io.hiroba.platform.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.core.JacksonException;

/**
 * Encodes and decodes cursors: opaque, so that nobody depends on their content, and signed together with the list's name, so
 * that a changed one or one of another list is refused.
 */
public final class Cursors {

    private static final int MAC_LENGTH = 12;
    /** Room for four texts of 500 characters in the order of a list. */
    private static final int MAX_LENGTH = 16_384;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String SEALING = "AES/GCM/NoPadding";
    private static final int SEALING_KEY_LENGTH = 32;
    private static final int NONCE_LENGTH = 12;

    /** Initialized with the key and cloned for each cursor: looking up the algorithm takes longer than using it. */
    private final Mac keyed;

    private final SecretKeySpec sealingKey;
    private final SecureRandom random = new SecureRandom();

    public Cursors(SecretStore secrets) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(secrets.get("cursor-key"), ALGORITHM));
            sealingKey = new SecretKeySpec(mac("seal", new byte[0], SEALING_KEY_LENGTH), "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    public String write(String list, Cursor cursor) {
        var payload = Json.bytes(cursor.values());
        var mac = mac(list, payload);
        var token = Arrays.copyOf(mac, MAC_LENGTH + payload.length);
        System.arraycopy(payload, 0, token, MAC_LENGTH, payload.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /** The cursor that {@code request} continues after, or none for the first page. */
    public Optional<Cursor> read(String list, PageRequest request) {
        return request.after().map(token -> read(list, token));
    }

    /** Decodes a cursor of {@code list}. */
    public Cursor read(String list, String text) {
        if (text.length() > MAX_LENGTH) {
            throw HttpProblem.badCursor();
        }
        try {
            var token = Base64.getUrlDecoder().decode(text);
            if (token.length < MAC_LENGTH) {
                throw HttpProblem.badCursor();
            }
            var payload = Arrays.copyOfRange(token, MAC_LENGTH, token.length);
            if (!MessageDigest.isEqual(Arrays.copyOf(token, MAC_LENGTH), mac(list, payload))) {
                throw HttpProblem.badCursor();
            }
            return new Cursor(List.of(Json.mapper().readValue(payload, String[].class)));
        } catch (IllegalArgumentException | JacksonException e) {
            throw HttpProblem.badCursor();
        }
    }

    /** Encrypts a cursor for readers who may not see what their list is sorted by. */
    public String seal(String cursor) {
        var nonce = new byte[NONCE_LENGTH];
        random.nextBytes(nonce);
        try {
            var content = sealing(Cipher.ENCRYPT_MODE, nonce).doFinal(cursor.getBytes(StandardCharsets.UTF_8));
            var sealed = Arrays.copyOf(nonce, NONCE_LENGTH + content.length);
            System.arraycopy(content, 0, sealed, NONCE_LENGTH, content.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + SEALING, e);
        }
    }

    /** The cursor that was sealed. */
    public String open(String sealed) {
        if (sealed.length() > 2 * MAX_LENGTH) {
            throw HttpProblem.badCursor();
        }
        try {
            var bytes = Base64.getUrlDecoder().decode(sealed);
            if (bytes.length < NONCE_LENGTH) {
                throw HttpProblem.badCursor();
            }
            var cipher = sealing(Cipher.DECRYPT_MODE, Arrays.copyOf(bytes, NONCE_LENGTH));
            return new String(cipher.doFinal(bytes, NONCE_LENGTH, bytes.length - NONCE_LENGTH), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw HttpProblem.badCursor();
        }
    }

    private Cipher sealing(int mode, byte[] nonce) throws GeneralSecurityException {
        var cipher = Cipher.getInstance(SEALING);
        cipher.init(mode, sealingKey, new GCMParameterSpec(128, nonce));
        return cipher;
    }

    private byte[] mac(String list, byte[] payload) {
        return mac(list, payload, MAC_LENGTH);
    }

    private byte[] mac(String list, byte[] payload, int length) {
        try {
            var mac = (Mac) keyed.clone();
            mac.update(list.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return Arrays.copyOf(mac.doFinal(payload), length);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every JVM copies " + ALGORITHM, e);
        }
    }
}
