package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.backup.BackupCipher.NotAuthenticException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupCipherTest {

    private static final String INSTANCE = "00000000-0000-4000-8000-000000000001";
    private static final BackupCipher CIPHER = BackupCipher.of("a passphrase of a test", INSTANCE);

    private static byte[] seal(String name, byte[] content) throws IOException {
        var stored = new ByteArrayOutputStream();
        try (var out = CIPHER.seal(name, stored)) {
            // In parts of other sizes than the chunks'.
            for (int at = 0; at < content.length; at += 50_000) {
                out.write(content, at, Math.min(50_000, content.length - at));
                out.flush();
            }
        }
        return stored.toByteArray();
    }

    private static byte[] open(String name, byte[] stored) throws IOException {
        try (var in = CIPHER.open(name, new ByteArrayInputStream(stored))) {
            return in.readAllBytes();
        }
    }

    private static byte[] content(int size) {
        var content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                BackupCipher.CHUNK - 1,
                BackupCipher.CHUNK,
                BackupCipher.CHUNK + 1,
                3 * BackupCipher.CHUNK,
                300_000
            })
    void whatWasSealedOpensAndHasTheSizeThatIsExpected(int size) throws IOException {
        var content = content(size);
        var stored = seal("data/x", content);
        assertThat(stored).hasSize((int) CIPHER.size(size));
        assertThat(open("data/x", stored)).isEqualTo(content);
        assertThat(seal("data/x", content)).as("another key each time").isNotEqualTo(stored);
    }

    @Test
    void whatIsChangedCutLengthenedOrInAnothersPlaceDoesNotOpen() throws IOException {
        var stored = seal("data/x", content(3 * BackupCipher.CHUNK));
        int chunk = BackupCipher.CHUNK + 16;
        assertThatThrownBy(() -> open("data/y", stored)).isInstanceOf(NotAuthenticException.class);
        for (int length : new int[] {0, 3, 20, 21, 20 + chunk, 20 + 2 * chunk, stored.length - 1}) {
            assertThatThrownBy(() -> open("data/x", Arrays.copyOf(stored, length)))
                    .as("cut to %d bytes", length)
                    .isInstanceOf(NotAuthenticException.class);
        }
        assertThatThrownBy(() -> open("data/x", Arrays.copyOf(stored, stored.length + 1)))
                .isInstanceOf(NotAuthenticException.class);
        for (int at : new int[] {0, 4, 20, 20 + chunk, stored.length - 1}) {
            var changed = stored.clone();
            changed[at] ^= 1;
            assertThatThrownBy(() -> open("data/x", changed))
                    .as("byte %d", at)
                    .isInstanceOf(NotAuthenticException.class);
        }
        var swapped = stored.clone();
        System.arraycopy(stored, 20, swapped, 20 + chunk, chunk);
        System.arraycopy(stored, 20 + chunk, swapped, 20, chunk);
        assertThatThrownBy(() -> open("data/x", swapped)).isInstanceOf(NotAuthenticException.class);
    }

    @Test
    void keysDifferByPassphraseAndDataFolder() {
        var other = BackupCipher.of("a passphrase of a test", INSTANCE.replace('1', '2'));
        assertThat(other.id()).isNotEqualTo(CIPHER.id()).hasSize(16);
        assertThat(BackupCipher.NONE.id()).isEmpty();
    }
}
