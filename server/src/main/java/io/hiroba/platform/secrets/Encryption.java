package io.hiroba.platform.secrets;

import io.hiroba.platform.StartException;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.secrets.EncryptionKeyStore.KeyRow;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts secrets that have to be read again (AES-256-GCM), with keys of a file outside the database. A stored secret is a
 * header with the format and the key's id, a nonce, and the ciphertext.
 */
public final class Encryption {

    private static final Logger log = LoggerFactory.getLogger(Encryption.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final byte FORMAT = 1;
    private static final int HEADER_BYTES = 1 + KeyFile.ID_BYTES;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int BATCH_SIZE = 500;
    private static final Duration POLL = Duration.ofMinutes(10);

    private final Db db;
    private final KeyFile file;
    private final EncryptionKeyStore store = new EncryptionKeyStore();
    private final List<EncryptedColumn> columns = new CopyOnWriteArrayList<>();
    private final WakeSignal rotated = new WakeSignal();

    /** By their ids, as the file was when it was read last. */
    private volatile Map<String, KeyFile.Key> keys = Map.of();

    private Encryption(Db db, KeyFile file) {
        this.db = db;
        this.file = file;
    }

    /**
     * Reads the key file, which the first node makes.
     *
     * @throws StartException if it lacks a key that secrets of this database may be encrypted with
     */
    public static Encryption open(Db db, Path file) {
        var encryption = new Encryption(db, new KeyFile(file));
        try {
            encryption.requireKeys();
        } catch (KeyFile.BadLineException e) {
            throw new StartException(
                    Text.of("server.start.bad-key", "file", file, "line", Integer.toString(e.line())), e);
        } catch (IOException e) {
            throw new StartException(Text.of("server.start.no-key-file", "file", file, "reason", e), e);
        }
        return encryption;
    }

    private void requireKeys() throws IOException {
        var known = db.read(store::list);
        if (known.isEmpty()) {
            known = begin();
        }
        reload();
        for (var row : known) {
            if (!keys.containsKey(row.id())) {
                throw new StartException(Text.of("server.start.missing-key", "file", file.path(), "key", row.id()));
            }
        }
    }

    /** Makes the first key known, one node at a time. The file is on disk before: a crash in between leaves a key for the next. */
    private List<KeyRow> begin() throws IOException {
        try {
            return db.inTransaction(tx -> {
                store.lock(tx);
                if (store.list(tx).isEmpty()) {
                    store.insert(tx, lastOrNew().id());
                }
                return store.list(tx);
            });
        } catch (UnusableFile e) {
            throw e.reason;
        }
    }

    /** Carries what went wrong with the file out of a transaction. */
    private static final class UnusableFile extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final IOException reason;

        UnusableFile(IOException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    private KeyFile.Key lastOrNew() {
        try {
            var all = file.exists() ? file.read() : List.<KeyFile.Key>of();
            return all.isEmpty() ? file.add() : all.getLast();
        } catch (IOException e) {
            throw new UnusableFile(e);
        }
    }

    private void reload() throws IOException {
        keys = (file.exists() ? file.read() : List.<KeyFile.Key>of())
                .stream().collect(Collectors.toMap(KeyFile.Key::id, key -> key, (first, same) -> first));
    }

    /** The key of this id. One that is not known was added to the file since, or is missing. */
    private KeyFile.Key key(String id) {
        var known = keys.get(id);
        if (known == null) {
            try {
                reload();
            } catch (IOException e) {
                throw new UnreadableSecretException("the key file " + file.path() + " cannot be read", e);
            }
            known = keys.get(id);
        }
        if (known == null) {
            throw new UnreadableSecretException("the key file " + file.path() + " has no key " + id);
        }
        return known;
    }

    /** Lets the secrets of a column follow the rotation of keys. */
    public void register(EncryptedColumn column) {
        columns.add(column);
    }

    /** Encrypts a secret of a row that {@code tx} writes, with the newest key. */
    public byte[] encrypt(Tx tx, EncryptedColumn column, String row, byte[] secret) {
        return encrypt(newest(tx), column, row, secret);
    }

    private KeyFile.Key newest(Tx tx) {
        return key(store.holdNewest(tx)
                .or(() -> store.holdNewest(tx))
                .orElseThrow(() -> new UnreadableSecretException("the database names no encryption key")));
    }

    private static byte[] encrypt(KeyFile.Key key, EncryptedColumn column, String row, byte[] secret) {
        var nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            var encrypted = run(Cipher.ENCRYPT_MODE, key, nonce, secret, column.boundTo(row));
            var stored = Arrays.copyOf(header(key.id()), HEADER_BYTES + NONCE_BYTES + encrypted.length);
            System.arraycopy(nonce, 0, stored, HEADER_BYTES, NONCE_BYTES);
            System.arraycopy(encrypted, 0, stored, HEADER_BYTES + NONCE_BYTES, encrypted.length);
            return stored;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Decrypts the secret of a row. */
    public byte[] decrypt(EncryptedColumn column, String row, byte[] stored) {
        int begin = HEADER_BYTES + NONCE_BYTES;
        if (stored.length < begin || stored[0] != FORMAT) {
            throw new UnreadableSecretException("not a secret of this format in " + column.table());
        }
        var key = key(HexFormat.of().formatHex(stored, 1, HEADER_BYTES));
        try {
            return run(
                    Cipher.DECRYPT_MODE,
                    key,
                    Arrays.copyOfRange(stored, HEADER_BYTES, begin),
                    Arrays.copyOfRange(stored, begin, stored.length),
                    column.boundTo(row));
        } catch (GeneralSecurityException e) {
            throw new UnreadableSecretException("a secret of another row, or a changed one, in " + column.table(), e);
        }
    }

    private static byte[] run(int mode, KeyFile.Key key, byte[] nonce, byte[] input, byte[] boundTo)
            throws GeneralSecurityException {
        var cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key.secret(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(boundTo);
        return cipher.doFinal(input);
    }

    private static byte[] header(String id) {
        return HexFormat.of().parseHex("%02x%s".formatted(FORMAT, id));
    }

    /** The outcome of adding a key. */
    public enum Rotation {
        STARTED,
        UNFINISHED,
        SEVERAL_NODES,
        UNUSABLE_FILE
    }

    /**
     * Lets the last key of the file encrypt from now on, or a new one where that does so already, and lets the secrets be encrypted
     * anew in the background. A new one is made by a node that is alone only: the files of others would lack it.
     *
     * @param started records the id of the key, in the same transaction
     */
    public Rotation rotate(RotationListener started) {
        try {
            return db.inTransaction(tx -> {
                store.lock(tx);
                var known = store.list(tx).stream().map(KeyRow::id).toList();
                if (known.size() > 1) {
                    return Rotation.UNFINISHED;
                }
                var last = lastOrNew();
                if (known.contains(last.id())) {
                    if (store.countNodes(tx) > 1) {
                        return Rotation.SEVERAL_NODES;
                    }
                    last = added();
                }
                store.insert(tx, last.id());
                started.started(tx, last.id());
                tx.afterCommit(rotated::raise);
                return Rotation.STARTED;
            });
        } catch (UnusableFile e) {
            log.warn("No key can be added to {}", file.path(), e);
            return Rotation.UNUSABLE_FILE;
        }
    }

    /** Records a rotation in its transaction. */
    @FunctionalInterface
    public interface RotationListener {
        void started(Tx tx, String key);
    }

    private KeyFile.Key added() {
        try {
            return file.add();
        } catch (IOException e) {
            throw new UnusableFile(e);
        }
    }

    /**
     * A key that secrets may be encrypted with.
     *
     * @param secrets how many are
     */
    public record EncryptionKey(String id, Instant createdAt, boolean isNewest, int secrets) {}

    /** The newest first. */
    public List<EncryptionKey> list() {
        return db.read(reads -> {
            var rows = store.list(reads);
            return rows.stream()
                    .map(row -> new EncryptionKey(
                            row.id(),
                            row.createdAt(),
                            row.equals(rows.getFirst()),
                            columns.stream()
                                    .mapToInt(column -> store.countSecrets(reads, column, header(row.id())))
                                    .sum()))
                    .toList();
        });
    }

    /** Encrypts secrets anew after each rotation, also one that a node left in the middle of. */
    public WorkLoop start() {
        return WorkLoop.whenSignalled("encryption keys", 1, rotated, POLL, () -> {
            reencrypt();
            return false;
        });
    }

    void reencrypt() {
        if (db.read(store::list).size() < 2) {
            return;
        }
        for (var column : columns) {
            var after = "";
            do {
                after = reencrypt(column, after);
            } while (!after.isEmpty());
        }
        db.useTransaction(this::retire);
    }

    /** Encrypts a batch anew; returns its last row, empty at the end. Another node that does so too waits and finds them done. */
    private String reencrypt(EncryptedColumn column, String after) {
        return db.inTransaction(tx -> {
            var newest = newest(tx);
            var rows = store.lockOthers(tx, column, header(newest.id()), after, BATCH_SIZE);
            for (var row : rows) {
                try {
                    var secret = decrypt(column, row.row(), row.secret());
                    store.replace(tx, column, row.row(), encrypt(newest, column, row.row(), secret));
                } catch (UnreadableSecretException e) {
                    log.warn("A secret stays as it is: {}", e.getMessage());
                }
            }
            return rows.size() < BATCH_SIZE ? "" : rows.getLast().row();
        });
    }

    /** Forgets keys that nothing is encrypted with any more, after all who may be encrypting with them. */
    private void retire(Tx tx) {
        store.lock(tx);
        var newest = store.list(tx).getFirst().id();
        for (var id : store.lockFormer(tx, newest)) {
            if (columns.stream().allMatch(column -> store.countSecrets(tx, column, header(id)) == 0)) {
                store.delete(tx, id);
                log.info("Nothing is encrypted with key {} any more; backups may still need it", id);
            }
        }
    }
}
