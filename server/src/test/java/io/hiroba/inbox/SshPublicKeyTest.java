package io.hiroba.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading what people paste as their public keys. */
class SshPublicKeyTest {

    private static final String ED25519 =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMfyP46FAei5IneAP5JxWZRuhpIszBera0BUI9JUM05e";

    @Test
    void aFingerprintIsTheOneThatSshShows() {
        var key = SshPublicKey.parse("  " + ED25519 + "  ann@laptop one \n");
        assertThat(key.fingerprint()).isEqualTo("SHA256:75gIMcGcJvGXK1dC72zzaOQDfI8NiCMq/uiGRALuIdE");
        assertThat(key.kind()).isEqualTo("ssh-ed25519");
        assertThat(key.comment()).isEqualTo("ann@laptop one");
        assertThat(key.text()).isEqualTo(ED25519);
        assertThat(SshPublicKey.parse(key.text()))
                .isEqualTo(new SshPublicKey(key.kind(), key.text(), "", key.fingerprint()));
    }

    @Test
    void everyKindThatIsSafeIsTaken() {
        for (var key : List.of(
                key("ssh-ed25519", zeros(32)),
                key("ssh-rsa", number(17), modulus(2048)),
                key("ssh-rsa", number(17), modulus(16_384)),
                key("ecdsa-sha2-nistp256", text("nistp256"), point(65)),
                key("ecdsa-sha2-nistp384", text("nistp384"), point(97)),
                key("ecdsa-sha2-nistp521", text("nistp521"), point(133)),
                key("sk-ssh-ed25519@openssh.com", zeros(32), text("ssh:")),
                key("sk-ecdsa-sha2-nistp256@openssh.com", text("nistp256"), point(65), text("ssh:")))) {
            assertThat(SshPublicKey.parse(key).text()).isEqualTo(key);
        }
    }

    @Test
    void weakAndUnknownKindsAreRefused() {
        for (var key : List.of(
                key("ssh-rsa", number(17), modulus(2047)),
                key("ssh-rsa", number(17), modulus(1024)),
                key("ssh-rsa", number(17), modulus(16_385)),
                key("ssh-dss", modulus(1024), modulus(160), modulus(1024), modulus(1024)),
                key("ssh-ed25519-cert-v01@openssh.com", zeros(32)),
                key("ssh-ed448", zeros(57)))) {
            assertRefused(key);
        }
    }

    @Test
    void whatDoesNotAddUpIsRefused() {
        for (var key : List.of(
                key("ssh-ed25519", zeros(31)),
                key("ssh-ed25519", zeros(32), zeros(1)),
                key("ssh-rsa", number(17)),
                key("ssh-rsa", number(17), zeros(256)),
                key("ssh-rsa", number(17), new byte[0]),
                key("ecdsa-sha2-nistp256", text("nistp384"), point(65)),
                key("ecdsa-sha2-nistp256", text("nistp256"), zeros(65)),
                key("sk-ssh-ed25519@openssh.com", zeros(32)),
                "ssh-rsa " + base64(key("ssh-ed25519", zeros(32))),
                "ssh-ed25519 " + Base64.getEncoder().encodeToString(new byte[] {0x7f, -1, -1, -1, 1}),
                "ssh-ed25519 " + Base64.getEncoder().encodeToString(new byte[] {-1, -1, -1, -1}))) {
            assertRefused(key);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "ssh-ed25519",
                "ssh-ed25519 ",
                "ssh-ed25519 !!!!",
                "ssh-ed25519 AAAA\nssh-ed25519 AAAA",
                "AAAAC3NzaC1lZDI1NTE5AAAAIMfyP46FAei5IneAP5JxWZRuhpIszBera0BUI9JUM05e"
            })
    void whatIsNoKeyIsRefused(String text) {
        assertRefused(text);
    }

    @Test
    void aPrivateKeyIsRejectedWithAWarning() {
        var marker = "-----BEGIN OPENSSH %s KEY-----\nb3Bl\n".formatted("PRIVATE");
        assertThatThrownBy(() -> SshPublicKey.parse(marker)).hasMessageContaining("is a private key");
    }

    @Test
    void noGarbageIsTakenAndNoneBreaksTheReader() {
        var random = RandomGenerator.of("L64X128MixRandom");
        var good = Base64.getDecoder().decode(base64(ED25519));
        for (int i = 0; i < 2000; i++) {
            var bytes = Arrays.copyOf(good, random.nextInt(good.length));
            if (bytes.length > 0) {
                bytes[random.nextInt(bytes.length)] ^= (byte) random.nextInt(1, 256);
            }
            assertRefused("ssh-ed25519 " + Base64.getEncoder().encodeToString(bytes));
        }
    }

    private static String base64(String key) {
        return key.substring(key.indexOf(' ') + 1);
    }

    private static void assertRefused(String text) {
        assertThatThrownBy(() -> SshPublicKey.parse(text)).as(text).isInstanceOf(InboxProblem.class);
    }

    private static String key(String kind, byte[]... parts) {
        var out = new ByteArrayOutputStream();
        write(out, text(kind));
        for (var part : parts) {
            write(out, part);
        }
        return kind + " " + Base64.getEncoder().encodeToString(out.toByteArray());
    }

    private static void write(ByteArrayOutputStream out, byte[] part) {
        out.writeBytes(ByteBuffer.allocate(4).putInt(part.length).array());
        out.writeBytes(part);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] zeros(int length) {
        return new byte[length];
    }

    private static byte[] number(int value) {
        return new byte[] {(byte) value};
    }

    private static byte[] modulus(int bits) {
        return BigInteger.ONE.shiftLeft(bits - 1).toByteArray();
    }

    private static byte[] point(int length) {
        var point = new byte[length];
        point[0] = 4;
        return point;
    }
}
