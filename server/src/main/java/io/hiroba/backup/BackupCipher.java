package io.hiroba.backup;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the files of backups, or leaves them as they are. Each file has a key of its own, derived from the master key, a random
 * salt and the file's name, and is a row of chunks of AES-256-GCM whose nonces are their numbers; the last one says so. A file that
 * was changed, cut, lengthened or put in another's place does not open (ADR 119).
 */
final class BackupCipher {

    /** Leaves everything as it is. */
    static final BackupCipher NONE = new BackupCipher(null);

    static final int CHUNK = 1 << 16;

    private static final byte[] MAGIC = "HBK1".getBytes(StandardCharsets.US_ASCII);
    private static final int SALT = 16;
    private static final int HEADER = MAGIC.length + SALT;
    private static final int TAG = 16;
    private static final int KEY_BITS = 256;

    /** What OWASP asks of PBKDF2 with SHA-256. */
    private static final int ITERATIONS = 600_000;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final @Nullable SecretKeySpec master;
    private final String id;

    private BackupCipher(@Nullable SecretKeySpec master) {
        this.master = master;
        this.id = master == null
                ? ""
                : mac("id".getBytes(StandardCharsets.US_ASCII)).substring(0, 16);
    }

    /**
     * The cipher of a data folder's backups.
     *
     * @param instance the name of the data folder, so that two folders with one passphrase have different keys
     */
    static BackupCipher of(String passphrase, String instance) {
        try {
            var spec = new PBEKeySpec(
                    passphrase.toCharArray(),
                    ("hiroba backup " + instance).getBytes(StandardCharsets.UTF_8),
                    ITERATIONS,
                    KEY_BITS);
            var derived = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
            return new BackupCipher(new SecretKeySpec(derived, "HKDF"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has PBKDF2", e);
        }
    }

    /** The name of the key, which tells nothing of it; empty if nothing is encrypted. */
    String id() {
        return id;
    }

    /** The size of a file as it is stored. */
    long size(long plain) {
        return master == null ? plain : HEADER + plain + TAG * Math.max(1, Math.ceilDiv(plain, CHUNK));
    }

    /** The authentication code of a list of files, in hex digits; empty if nothing is encrypted. */
    String mac(byte[] content) {
        if (master == null) {
            return "";
        }
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(derive(new byte[0], "list"), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(content));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HMAC", e);
        }
    }

    private byte[] derive(byte[] salt, String purpose) throws GeneralSecurityException {
        return KDF.getInstance("HKDF-SHA256")
                .deriveData(HKDFParameterSpec.ofExtract()
                        .addIKM(Objects.requireNonNull(master))
                        .addSalt(salt)
                        .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), KEY_BITS / Byte.SIZE));
    }

    /** Encrypts what is written, for a file of this name. */
    OutputStream seal(String name, OutputStream out) throws IOException {
        return master == null ? out : new Sealed(name, out);
    }

    /** Decrypts a file of this name; reading fails if it is not the one that was written. */
    InputStream open(String name, InputStream in) throws IOException {
        return master == null ? in : new Opened(name, in);
    }

    /** The chunks of one file in their order. */
    private final class Chunks {

        private final SecretKeySpec key;
        private final Cipher cipher;
        private final int mode;
        private long number;

        Chunks(String name, byte[] salt, int mode) throws GeneralSecurityException {
            this.key = new SecretKeySpec(derive(salt, "file " + name), "AES");
            this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
            this.mode = mode;
        }

        byte[] next(byte[] content, int length, boolean isLast) throws GeneralSecurityException {
            var nonce = ByteBuffer.allocate(12)
                    .putInt(isLast ? 1 : 0)
                    .putLong(number++)
                    .array();
            cipher.init(mode, key, new GCMParameterSpec(TAG * Byte.SIZE, nonce));
            return cipher.doFinal(content, 0, length);
        }
    }

    /** Writes chunks; the last when it is closed, since only then it is known to be the last. */
    private final class Sealed extends FilterOutputStream {

        private final Chunks chunks;
        private final byte[] chunk = new byte[CHUNK];
        private int length;
        private boolean closed;

        Sealed(String name, OutputStream out) throws IOException {
            super(out);
            var salt = new byte[SALT];
            RANDOM.nextBytes(salt);
            try {
                chunks = new Chunks(name, salt, Cipher.ENCRYPT_MODE);
            } catch (GeneralSecurityException e) {
                throw new IOException("the backup could not be encrypted", e);
            }
            out.write(MAGIC);
            out.write(salt);
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] content, int from, int count) throws IOException {
            int at = from;
            int end = Math.addExact(from, count);
            while (at < end) {
                if (length == CHUNK) {
                    writeChunk(false);
                }
                int part = Math.min(end - at, CHUNK - length);
                System.arraycopy(content, at, chunk, length, part);
                length += part;
                at += part;
            }
        }

        private void writeChunk(boolean isLast) throws IOException {
            try {
                out.write(chunks.next(chunk, length, isLast));
                length = 0;
            } catch (GeneralSecurityException e) {
                throw new IOException("the backup could not be encrypted", e);
            }
        }

        /** Writes no chunk: one that is not full would look like the last. */
        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                try {
                    writeChunk(true);
                } finally {
                    out.close();
                }
            }
        }
    }

    /** Reads chunks, and hands out only what was authenticated. */
    private final class Opened extends InputStream {

        private final InputStream in;
        private final Chunks chunks;
        private byte[] plain = new byte[0];
        private int at;
        private byte[] sealed;
        private boolean wasLast;

        Opened(String name, InputStream in) throws IOException {
            this.in = in;
            var header = in.readNBytes(HEADER);
            if (header.length < HEADER || !Arrays.equals(header, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
                throw new NotAuthenticException(null);
            }
            try {
                chunks = new Chunks(name, Arrays.copyOfRange(header, MAGIC.length, HEADER), Cipher.DECRYPT_MODE);
            } catch (GeneralSecurityException e) {
                throw new NotAuthenticException(e);
            }
            sealed = in.readNBytes(CHUNK + TAG);
        }

        private boolean isAtEnd() throws IOException {
            while (at == plain.length) {
                if (wasLast) {
                    return true;
                }
                var following = sealed.length == CHUNK + TAG ? in.readNBytes(CHUNK + TAG) : new byte[0];
                wasLast = following.length == 0;
                try {
                    plain = chunks.next(sealed, sealed.length, wasLast);
                } catch (GeneralSecurityException e) {
                    throw new NotAuthenticException(e);
                }
                at = 0;
                sealed = following;
            }
            return false;
        }

        @Override
        public int read() throws IOException {
            return isAtEnd() ? -1 : Byte.toUnsignedInt(plain[at++]);
        }

        @Override
        public int read(byte[] target, int from, int count) throws IOException {
            if (count == 0) {
                return 0;
            }
            if (isAtEnd()) {
                return -1;
            }
            int part = Math.min(count, plain.length - at);
            System.arraycopy(plain, at, target, from, part);
            at += part;
            return part;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Thrown when a file is not the one that was written. */
    static final class NotAuthenticException extends IOException {

        private static final long serialVersionUID = 1L;

        NotAuthenticException(@Nullable Throwable cause) {
            super("not the file that was written", cause);
        }
    }
}
