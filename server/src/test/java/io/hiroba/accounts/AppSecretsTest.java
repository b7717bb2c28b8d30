package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.secrets.UnreadableSecretException;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestPlatform;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class AppSecretsTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final AppSecrets secrets = new AppSecrets(accounts.db, TestPlatform.encryption(accounts.db));

    @AfterAll
    static void close() {
        accounts.close();
    }

    @Test
    void aSecretOfTheFormerKeyInTheDatabaseIsReadAndMoved() throws Exception {
        var user = accounts.user("Ann");
        accounts.module.secondFactors().startApp(accounts.signedIn(user));
        var store = new SecondFactorStore();
        var secret = accounts.db.read(reads ->
                secrets.decrypt(user, store.findApp(reads, user).orElseThrow().secret()));
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        var key = new SecretKeySpec(new SecretStore(accounts.db).get("authenticator-app-key"), "AES");
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
        cipher.updateAAD(user.hex().getBytes(StandardCharsets.US_ASCII));
        var former = ByteBuffer.allocate(48).put(12, cipher.doFinal(secret)).array();
        accounts.db.useTransaction(tx -> store.replaceSecret(tx, user, former));
        assertThat(secrets.decrypt(user, former)).isEqualTo(secret);
        secrets.moveFormer();
        var moved = accounts.db
                .read(reads -> store.findApp(reads, user))
                .orElseThrow()
                .secret();
        assertThat(moved).hasSizeGreaterThan(former.length);
        assertThat(secrets.decrypt(user, moved)).isEqualTo(secret);
        var other = accounts.user("Bob");
        assertThatThrownBy(() -> secrets.decrypt(other, moved)).isInstanceOf(UnreadableSecretException.class);
    }
}
