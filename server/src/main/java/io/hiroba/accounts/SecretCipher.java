package io.hiroba.accounts;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts secrets that have to be read again (AES-256-GCM), each bound to its owner. */
final class SecretCipher {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKey key;

    SecretCipher(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    byte[] encrypt(byte[] secret, UserId owner) {
        var nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        var encrypted = run(Cipher.ENCRYPT_MODE, nonce, secret, owner);
        var stored = Arrays.copyOf(nonce, NONCE_BYTES + encrypted.length);
        System.arraycopy(encrypted, 0, stored, NONCE_BYTES, encrypted.length);
        return stored;
    }

    byte[] decrypt(byte[] stored, UserId owner) {
        var nonce = Arrays.copyOf(stored, NONCE_BYTES);
        return run(Cipher.DECRYPT_MODE, nonce, Arrays.copyOfRange(stored, NONCE_BYTES, stored.length), owner);
    }

    private byte[] run(int mode, byte[] nonce, byte[] input, UserId owner) {
        try {
            var cipher = Cipher.getInstance(ALGORITHM);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(owner.hex().getBytes(StandardCharsets.US_ASCII));
            return cipher.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the secret of a second factor cannot be read with this database's key", e);
        }
    }
}
