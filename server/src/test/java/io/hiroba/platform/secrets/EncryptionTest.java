package io.hiroba.platform.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.StartException;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.secrets.Encryption.EncryptionKey;
import io.hiroba.platform.secrets.Encryption.Rotation;
import io.hiroba.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncryptionTest {

    private static final EncryptedColumn COLUMN = new EncryptedColumn("public.vault", "owner");
    private static final String OTHER_KEY = "c2Vjb25kIGtleSBvZiBib3RoLCBvZiAzMiBieXRlcyE=\n";

    private final TestDatabase database = TestDatabase.create();
    private final Db db = database.db();

    @TempDir
    private Path folder;

    private Path file;
    private Encryption encryption;

    @BeforeEach
    void open() {
        file = folder.resolve("made/keys");
        db.useTransaction(tx -> tx.update("CREATE TABLE public.vault (owner TEXT PRIMARY KEY, secret BYTEA NOT NULL)")
                .execute());
        encryption = node();
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private Encryption node() {
        var node = Encryption.open(db, file);
        node.register(COLUMN);
        return node;
    }

    private void put(Encryption node, String owner, String secret) {
        db.useTransaction(tx -> tx.update("INSERT INTO public.vault (owner, secret) VALUES (:owner, :secret)")
                .bind("owner", owner)
                .bind("secret", node.encrypt(tx, COLUMN, owner, secret.getBytes(StandardCharsets.UTF_8)))
                .execute());
    }

    private byte[] stored(String owner) {
        return db.read(reads -> reads.query("SELECT secret FROM public.vault WHERE owner = :owner")
                .bind("owner", owner)
                .mapTo(byte[].class)
                .one());
    }

    private String read(Encryption node, String owner) {
        return new String(node.decrypt(COLUMN, owner, stored(owner)), StandardCharsets.UTF_8);
    }

    private static Rotation rotate(Encryption node) {
        return node.rotate((tx, key) -> {});
    }

    @Test
    void aSecretIsReadByEveryNodeAndInItsOwnRowOnly() {
        put(encryption, "ann", "hush");
        assertThat(new String(stored("ann"), StandardCharsets.ISO_8859_1)).doesNotContain("hush");
        assertThat(read(node(), "ann")).isEqualTo("hush");
        assertThatThrownBy(() -> encryption.decrypt(COLUMN, "bob", stored("ann")))
                .isInstanceOf(UnreadableSecretException.class);
        var other = new EncryptedColumn("public.other", "owner");
        assertThatThrownBy(() -> encryption.decrypt(other, "ann", stored("ann")))
                .isInstanceOf(UnreadableSecretException.class);
        var changed = stored("ann");
        changed[changed.length - 1] ^= 1;
        assertThatThrownBy(() -> encryption.decrypt(COLUMN, "ann", changed))
                .isInstanceOf(UnreadableSecretException.class);
        assertThatThrownBy(() -> encryption.decrypt(COLUMN, "ann", new byte[3]))
                .isInstanceOf(UnreadableSecretException.class);
    }

    @Test
    void aRotationEncryptsAllSecretsAnewAndForgetsTheFormerKey() throws Exception {
        for (int i = 0; i < 1100; i++) {
            put(encryption, "owner " + i, "secret " + i);
        }
        var former = encryption.list().getFirst().id();
        var other = node();
        assertThat(rotate(encryption)).isEqualTo(Rotation.STARTED);
        assertThat(rotate(encryption)).isEqualTo(Rotation.UNFINISHED);
        assertThat(encryption.list()).extracting(EncryptionKey::isNewest).containsExactly(true, false);
        put(other, "late", "with the new key");
        assertThat(read(encryption, "owner 7")).isEqualTo("secret 7");

        encryption.reencrypt();
        assertThat(encryption.list()).singleElement().satisfies(key -> {
            assertThat(key.id()).isNotEqualTo(former);
            assertThat(key.secrets()).isEqualTo(1101);
        });
        assertThat(read(other, "owner 1099")).isEqualTo("secret 1099");
        assertThat(Files.readString(file)).contains(former);
    }

    @Test
    void aKeyThatIsAddedByHandIsTakenAndOneThatIsMissingIsNamed() throws Exception {
        put(encryption, "ann", "hush");
        var first = Files.readString(file);
        Files.writeString(file, OTHER_KEY, StandardOpenOption.APPEND);
        assertThat(rotate(encryption)).isEqualTo(Rotation.STARTED);
        var added = encryption.list().getFirst().id();
        assertThat(new KeyFile(file).read())
                .extracting(KeyFile.Key::id)
                .hasSize(2)
                .endsWith(added);

        Files.writeString(file, first);
        assertThatThrownBy(this::node)
                .isInstanceOf(StartException.class)
                .hasMessageContaining("lacks the key " + added);
        Files.writeString(file, "not a key\n");
        assertThatThrownBy(this::node)
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("Line 1 of the key file");
        Files.delete(file);
        assertThatThrownBy(this::node).isInstanceOf(StartException.class).hasMessageContaining("lacks the key");
        assertThat(file).doesNotExist();
    }

    @Test
    void aKeyStaysWhileSomebodyEncryptsWithIt() throws Exception {
        var encrypted = new CountDownLatch(1);
        var rotated = new CountDownLatch(1);
        var writer = CompletableFuture.runAsync(() -> db.useTransaction(tx -> {
            var secret = encryption.encrypt(tx, COLUMN, "slow", new byte[] {7});
            encrypted.countDown();
            await(rotated);
            tx.update("INSERT INTO public.vault (owner, secret) VALUES ('slow', :secret)")
                    .bind("secret", secret)
                    .execute();
        }));
        await(encrypted);
        assertThat(rotate(encryption)).isEqualTo(Rotation.STARTED);
        var sweep = CompletableFuture.runAsync(encryption::reencrypt);
        rotated.countDown();
        writer.get(20, TimeUnit.SECONDS);
        sweep.get(20, TimeUnit.SECONDS);
        assertThat(encryption.decrypt(COLUMN, "slow", stored("slow"))).containsExactly(7);
        assertThat(encryption.list().stream().mapToInt(EncryptionKey::secrets).sum())
                .isEqualTo(1);
        encryption.reencrypt();
        assertThat(encryption.list()).hasSize(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nodesThatStartAtOnceOnOneFileAgreeOnTheFirstKey() {
        try (var empty = TestDatabase.create()) {
            var shared = folder.resolve("shared");
            var starts = List.of(1, 2, 3, 4).stream()
                    .map(n -> CompletableFuture.supplyAsync(() -> Encryption.open(empty.db(), shared)))
                    .toList();
            assertThat(starts)
                    .allSatisfy(start -> assertThat(start.join().list()).hasSize(1));
        }
    }
}
