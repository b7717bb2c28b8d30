package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.secrets.EncryptedColumn;
import io.hiroba.platform.secrets.Encryption;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts the secrets of authenticator apps, and reads those that were encrypted with a key in the database. */
final class AppSecrets {

    private static final EncryptedColumn COLUMN = new EncryptedColumn("accounts.authenticator_apps", "user_id::text");
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The length of a former secret: nonce, 20 bytes and tag. Those of today are longer by their header. */
    private static final int FORMER_LENGTH = 48;

    private final Db db;
    private final Encryption encryption;
    private final SecondFactorStore store = new SecondFactorStore();

    AppSecrets(Db db, Encryption encryption) {
        this.db = db;
        this.encryption = encryption;
        encryption.register(COLUMN);
    }

    byte[] encrypt(Tx tx, UserId owner, byte[] secret) {
        return encryption.encrypt(tx, COLUMN, row(owner), secret);
    }

    byte[] decrypt(UserId owner, byte[] stored) {
        return stored.length == FORMER_LENGTH
                ? decryptFormer(owner, stored)
                : encryption.decrypt(COLUMN, row(owner), stored);
    }

    private static String row(UserId owner) {
        return Long.toString(owner.value());
    }

    /** Encrypts former secrets with the newest key. */
    void moveFormer() {
        while (db.inTransaction(this::moveOne)) {
            // One a transaction: there are few, once.
        }
    }

    private boolean moveOne(Tx tx) {
        var former = store.lockSecretOf(tx, FORMER_LENGTH);
        former.ifPresent(app ->
                store.replaceSecret(tx, app.user(), encrypt(tx, app.user(), decryptFormer(app.user(), app.secret()))));
        return former.isPresent();
    }

    private byte[] decryptFormer(UserId owner, byte[] stored) {
        try {
            var key = new SecretKeySpec(new SecretStore(db).get("authenticator-app-key"), "AES");
            var cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, Arrays.copyOf(stored, NONCE_BYTES)));
            cipher.updateAAD(owner.hex().getBytes(StandardCharsets.US_ASCII));
            return cipher.doFinal(stored, NONCE_BYTES, stored.length - NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the secret of an authenticator app was encrypted with another key", e);
        }
    }
}
