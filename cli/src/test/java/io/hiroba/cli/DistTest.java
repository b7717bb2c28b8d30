package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * The archive of the real server and client, without the caches that only make it start faster, in a root folder that has
 * neither Java nor Maven nor a compiler.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class DistTest {

    private static final String PASSWORD = "a long enough password";

    private final Checkout checkout;
    private final Path bare;
    private final Path script;

    DistTest(@TempDir Path folder) throws IOException {
        checkout = new Checkout(folder);
        bare = folder.resolve("bare");
        script = folder.resolve("bare-root.sh");
        try (var text = Objects.requireNonNull(DistTest.class.getResourceAsStream("bare-root.sh"))) {
            Files.copy(text, script, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void theArchiveRunsWhereThereIsNothingButBash() throws Exception {
        var made = inBareRoot("", "true");
        assertThat(made.code()).as(made.out()).isZero();
        Path archive = archive();
        assertThat(archive.getFileName().toString()).matches("hiroba-1\\.2\\.3-linux-(amd64|arm64)\\.tar\\.gz");
        assertThat(archive.resolveSibling("hiroba-1.2.3.md"))
                .content()
                .startsWith("# Hiroba 1.2.3\n")
                .contains("\n- ")
                .doesNotContain("\n## ");
        try (var content = Files.newInputStream(archive)) {
            assertThat(archive.resolveSibling(archive.getFileName() + ".sha256"))
                    .hasContent(sha256(content) + "  " + archive.getFileName());
        }
        theImageIsSound(Path.of(archive.toString().replace(".tar.gz", "-oci.tar")), archive);
        Path opt = Files.createDirectories(bare.resolve("opt"));
        run(List.of("tar", "-xzf", archive.toString(), "-C", opt.toString()), "");
        String hiroba = "/opt/" + archive.getFileName().toString().replace(".tar.gz", "/bin/hiroba");
        String port = freePort();

        var up = inBareRoot(
                "",
                "env",
                "HIROBA_ADMIN_EMAIL=ada@example.org",
                "HIROBA_ADMIN_PASSWORD=" + PASSWORD,
                hiroba,
                "up",
                "--port=" + port,
                "--grpc.enabled=false");
        assertThat(up.out()).contains("ada@example.org");
        assertThat(up.code()).isZero();
        try {
            var url = "http://127.0.0.1:" + port;
            var login = inBareRoot(
                    PASSWORD + "\n", hiroba, "login", "--url", url, "--email", "ada@example.org", "--password-stdin");
            assertThat(login.code()).as(login.out()).isZero();
            assertThat(inBareRoot("", hiroba, "post", "from a bare root").code())
                    .isZero();
            assertThat(inBareRoot("", hiroba, "feed", "--newest").out()).contains("from a bare root");
        } finally {
            assertThat(inBareRoot("", hiroba, "stop").out()).contains("Hiroba has stopped.");
        }
        assertThat(inBareRoot("", hiroba, "version").out()).startsWith("Hiroba 1.2.3\nJava 25");
        assertThat(inBareRoot("", hiroba, "test").out()).contains("test needs a checkout of the source");
        assertThat(inBareRoot("", hiroba, "help").out())
                .contains("up [--port 8080]")
                .doesNotContain("chaos")
                .doesNotContain("build if need be");
    }

    @Test
    void theServiceIsOneThatSystemdUnderstands(@TempDir Path folder) throws Exception {
        Path unit = checkout.root().resolve("launcher/hiroba.service");
        String text = Files.readString(unit);
        assertThat(text).contains("Type=notify", "WatchdogSec=", "User=hiroba", "ProtectSystem=strict");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")));
        // Its program is where the package puts it, and not here.
        Path here = folder.resolve("hiroba.service");
        Files.writeString(here, text.replaceFirst("ExecStart=\\S+", "ExecStart=/bin/true"));
        assertThat(run(List.of("systemd-analyze", "verify", "--man=no", here.toString()), ""))
                .isEqualTo(new Checkout.Outcome(0, ""));
    }

    /** Made by the launcher from the classes that are tested, and what they run on: neither is packed before all tests have passed. */
    private Path archive() throws IOException, InterruptedException {
        Path here = Path.of("").toAbsolutePath();
        Path real = Files.exists(here.resolve("hiroba")) ? here : Objects.requireNonNull(here.getParent());
        for (String document : List.of("LICENSE", "NOTICE", "README.md", "CHANGELOG.md")) {
            Files.copy(real.resolve(document), checkout.root().resolve(document));
        }
        checkout.write("docs/guides/a.md", "a");
        checkout.program("mvn", """
                pack() { "%3$s/bin/jar" --create --file "$2" -C "$1" .; }
                for module in server cli; do
                  mkdir -p "%1$s/$module/target/lib"
                  pack "%2$s/$module/target/classes" "%1$s/$module/target/hiroba-$module-1.2.3.jar"
                done
                for entry in %4$s; do
                  name=${entry##*/}
                  case $entry in
                    */cli/target/* | */server/target/* | */hiroba-server-*) ;;
                    */target/classes)
                      module=${entry%%/target/classes}
                      pack "$entry" "%1$s/server/target/lib/${module##*/}.jar" ;;
                    *.jar)
                      cp "$entry" "%1$s/server/target/lib/"
                      case $name in picocli-* | jackson-* | jspecify-*) cp "$entry" "%1$s/cli/target/lib/" ;; esac ;;
                  esac
                done
                """.formatted(checkout.root(), real, System.getProperty("java.home"), classPath()));
        Path base = bare.resolveSibling("base.tar");
        run(List.of("tar", "-cf", base.toString(), "-C", bare.toString(), "bin"), "");
        var dist = checkout.run(
                Map.of("XDG_CACHE_HOME", cache(), "SOURCE_DATE_EPOCH", "1767225600"),
                "dist",
                "--oci",
                "--base",
                base.toString());
        assertThat(dist.code()).as(dist.out()).isZero();
        return Path.of(dist.out().lines().toList().getLast());
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> "'" + entry + "'")
                .collect(Collectors.joining(" "));
    }

    /** Every file is what its digest says, from the index over the manifest and the configuration to the layers. */
    private void theImageIsSound(Path image, Path archive) throws Exception {
        Path layout = Files.createDirectories(bare.resolveSibling("image"));
        run(List.of("tar", "-xf", image.toString(), "-C", layout.toString()), "");
        var index = json(layout.resolve("index.json"));
        var manifest = json(blob(layout, index.path("manifests").path(0)));
        var layers = manifest.path("layers");
        assertThat(layers.size()).isEqualTo(3);
        var ids = json(blob(layout, manifest.path("config"))).path("rootfs").path("diff_ids");
        for (int i = 0; i < layers.size(); i++) {
            Path layer = blob(layout, layers.path(i));
            try (var unpacked = new GZIPInputStream(Files.newInputStream(layer))) {
                assertThat(ids.path(i).asString()).isEqualTo("sha256:" + sha256(unpacked));
            }
        }
        assertThat(blob(layout, layers.path(1))).hasSameBinaryContentAs(archive);
    }

    private static JsonNode json(Path file) throws IOException {
        return CliJson.read(Files.readString(file)).orElseThrow();
    }

    private static Path blob(Path layout, JsonNode described) throws Exception {
        var digest = described.path("digest").asString();
        Path blob = layout.resolve("blobs").resolve(digest.replace(':', '/'));
        assertThat(Files.size(blob)).isEqualTo(described.path("size").asLong());
        try (var content = Files.newInputStream(blob)) {
            assertThat("sha256:" + sha256(content)).isEqualTo(digest);
        }
        return blob;
    }

    private static String sha256(InputStream content) throws Exception {
        var digest = MessageDigest.getInstance("SHA-256");
        new DigestInputStream(content, digest).transferTo(OutputStream.nullOutputStream());
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The cache of who runs the tests: PostgreSQL and pgvector are in it. */
    private static String cache() {
        var given = System.getenv("XDG_CACHE_HOME");
        return given != null
                ? given
                : Path.of(System.getProperty("user.home"), ".cache").toString();
    }

    private Checkout.Outcome inBareRoot(String input, String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("bash", script.toString(), bare.toString()));
        command.addAll(List.of(words));
        return run(command, input);
    }

    private static Checkout.Outcome run(List<String> command, String input) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
            stdin.write(input);
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Checkout.Outcome(process.exitValue(), out);
    }

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return String.valueOf(socket.getLocalPort());
        }
    }
}
