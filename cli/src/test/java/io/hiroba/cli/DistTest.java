package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The archive, the image and the package of the real server and client, without the caches that only make it start faster, in root
 * folders that have neither Java nor Maven nor a compiler.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class DistTest {

    private static final String PASSWORD = "a long enough password";
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

    private final Checkout checkout;
    private final Path folder;
    private final Path bare;
    private final Path script;
    private final Path archive;

    DistTest(@TempDir Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        checkout = new Checkout(folder);
        bare = folder.resolve("bare");
        script = folder.resolve("bare-root.sh");
        try (var text = Objects.requireNonNull(DistTest.class.getResourceAsStream("bare-root.sh"))) {
            Files.copy(text, script, StandardCopyOption.REPLACE_EXISTING);
        }
        var made = inBareRoot("", "true");
        assertThat(made.code()).as(made.out()).isZero();
        archive = archive();
    }

    @Test
    void theArchiveIsDescribedBesideIt() throws Exception {
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
    }

    @Test
    void theArchiveRunsWhereThereIsNothingButBash() throws Exception {
        Path opt = Files.createDirectories(bare.resolve("opt"));
        run(List.of("tar", "-xzf", archive.toString(), "-C", opt.toString()), "");
        String home = "/opt/" + archive.getFileName().toString().replace(".tar.gz", "");
        String hiroba = home + "/bin/hiroba";
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
            theDatabaseIsReachedByItsPrograms(home);
        } finally {
            assertThat(inBareRoot("", hiroba, "stop").out()).contains("Hiroba has stopped.");
        }
        var later = inBareRoot("", hiroba, "psql", "-c", "SELECT 1");
        assertThat(later.code()).isEqualTo(3);
        assertThat(later.out()).contains("Hiroba is not running on");
        assertThat(inBareRoot("", hiroba, "version").out()).startsWith("Hiroba 1.2.3\nJava 25");
        assertThat(inBareRoot("", hiroba, "test").out()).contains("test needs a checkout of the source");
        assertThat(inBareRoot("", hiroba, "help").out())
                .contains("up [--port 8080]", "psql [--data DIR]")
                .doesNotContain("chaos")
                .doesNotContain("build if need be");
    }

    private void theDatabaseIsReachedByItsPrograms(String home) throws Exception {
        String hiroba = home + "/bin/hiroba";
        var posts = inBareRoot("SELECT count(*) FROM social.posts;\n", hiroba, "psql", "-At");
        assertThat(posts.out()).isEqualTo("1\n");
        for (var change : List.of("UPDATE social.posts SET id = id", "CREATE TABLE social.mine (id int)")) {
            var refused = inBareRoot(change, hiroba, "psql", "-v", "ON_ERROR_STOP=1");
            assertThat(refused.code()).isEqualTo(3);
            assertThat(refused.out()).containsAnyOf("read-only transaction", "permission denied");
        }
        assertThat(inBareRoot("UPDATE social.posts SET id = id", hiroba, "psql", "--write")
                        .out())
                .isEqualTo("UPDATE 1\n");
        assertThat(inBareRoot("CREATE TABLE social.mine (id int)", hiroba, "psql", "--write")
                        .out())
                .contains("permission denied");
        assertThat(inBareRoot("", hiroba, "pg_dump", "--write").out()).contains("pg_dump does not know --write");
        var dump = inBareRoot("", hiroba, "pg_dump", "-Fc", "-f", "/tmp/dump");
        assertThat(dump.out()).isEmpty();
        assertThat(dump.code()).isZero();
        assertThat(inBareRoot("", home + "/pgsql/bin/pg_restore", "--list", "/tmp/dump")
                        .out())
                .contains("TABLE DATA social posts");
        for (var program : List.of("pg_dumpall", "pg_basebackup", "pg_verifybackup", "pg_isready", "vacuumdb")) {
            assertThat(inBareRoot("", home + "/pgsql/bin/" + program, "--version")
                            .out())
                    .contains("(PostgreSQL) 17.");
        }
    }

    /** As a container's engine would: the layers over each other, and the words, variables and user of the configuration. */
    @Test
    void theImageStartsAsItsConfigurationSays() throws Exception {
        var image = theImageIsSound(Path.of(archive.toString().replace(".tar.gz", "-oci.tar")));
        var config = image.configuration().path("config");
        assertThat(config.path("User").asString()).isEqualTo("999:999");
        Path root = Files.createDirectories(folder.resolve("container"));
        for (Path layer : image.layers()) {
            assertThat(run(List.of("tar", "-xzpf", layer.toString(), "-C", root.toString()), ""))
                    .isEqualTo(new Checkout.Outcome(0, ""));
        }
        String port = freePort();
        var words = new ArrayList<>(List.of("bash", script.toString(), root.toString(), "env"));
        words.add("--chdir=" + config.path("WorkingDir").asString());
        config.path("Env").forEach(each -> words.add(each.asString()));
        words.addAll(List.of("HIROBA_HTTP_PORT=" + port, "HIROBA_GRPC_ENABLED=false"));
        config.path("Entrypoint").forEach(each -> words.add(each.asString()));
        config.path("Cmd").forEach(each -> words.add(each.asString()));
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        if (IS_ROOT) {
            builder.environment().put("BARE_USER", "999");
        }
        Path log = folder.resolve("container.log");
        var container = builder.redirectOutput(log.toFile()).start();
        try (var client = HttpClient.newHttpClient()) {
            var ready = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz"))
                    .build();
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() -> {
                        assertThat(container.isAlive()).as(() -> text(log)).isTrue();
                        assertThat(status(client, ready)).as(() -> text(log)).isEqualTo(200);
                    });
        } finally {
            container.destroy();
        }
        assertThat(container.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(root.resolve("var/lib/hiroba/postgres/data/PG_VERSION")).hasContent("17");
        assertThat(root.resolve("var/lib/hiroba/postgres/data/postmaster.pid")).doesNotExist();
    }

    private static int status(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void thePackageIsInstalledUpgradedRemovedAndPurged() throws Exception {
        assumeTrue(IS_ROOT, "installing a package needs root");
        var debian = new DebianRoot(script, folder.resolve("debian"));
        Path deb;
        try (var files = Files.list(archive.resolveSibling("."))) {
            deb = files.filter(file -> file.toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow();
        }
        debian.dpkg("-i", debian.olderOf(deb));

        Path settings = debian.path("etc/hiroba/hiroba.yaml");
        assertThat(debian.described(settings)).isEqualTo("root:hiroba rw-r-----");
        assertThat(debian.described(debian.path("var/backups/hiroba"))).isEqualTo("hiroba:hiroba rwx------");
        assertThat(debian.path("usr/lib/systemd/system/hiroba.service")).exists();
        assertThat(debian.systemctl()).containsExactly("daemon-reload");

        Files.writeString(settings, "http:\n  port: 8081\n");
        Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("rw-r--r--"));
        Path data = Files.createDirectories(debian.path("var/lib/hiroba/postgres"));
        debian.dpkg("-i", debian.copyOf(deb));
        assertThat(debian.described(settings)).isEqualTo("root:hiroba rw-r--r--");
        assertThat(settings).hasContent("http:\n  port: 8081\n");
        assertThat(debian.systemctl()).containsExactly("daemon-reload", "try-restart hiroba.service");
        assertThat(debian.run("/usr/lib/hiroba/bin/hiroba", "version").out()).startsWith("Hiroba 1.2.3\nJava 25");

        debian.dpkg("--remove", "hiroba");
        assertThat(debian.systemctl()).containsExactly("disable --now hiroba.service", "daemon-reload");
        assertThat(debian.path("usr/lib/hiroba")).doesNotExist();
        assertThat(debian.path("usr/lib/systemd/system/hiroba.service")).doesNotExist();
        assertThat(settings).exists();

        Path key = Files.writeString(settings.resolveSibling("backup-key"), "a passphrase of somebody");
        assertThat(debian.dpkg("--purge", "hiroba")).contains("/var/lib/hiroba is kept", "/var/backups/hiroba is kept");
        assertThat(settings).doesNotExist();
        assertThat(key).exists();
        assertThat(data).exists();
        assertThat(debian.path("var/backups/hiroba")).exists();
    }

    @Test
    void theServiceIsOneThatSystemdUnderstands() throws Exception {
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
        run(List.of("tar", "-cf", base.toString(), "-C", bare.toString(), "."), "");
        var dist = checkout.run(
                Map.of("XDG_CACHE_HOME", cache(), "SOURCE_DATE_EPOCH", "1767225600"),
                "dist",
                "--deb",
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

    /** An image with its layers from the lowest up. */
    private record Image(JsonNode configuration, List<Path> layers) {}

    /** Every file is what its digest says, from the index over the manifest and the configuration to the layers. */
    private Image theImageIsSound(Path image) throws Exception {
        Path layout = Files.createDirectories(folder.resolve("image"));
        run(List.of("tar", "-xf", image.toString(), "-C", layout.toString()), "");
        var index = json(layout.resolve("index.json"));
        var manifest = json(blob(layout, index.path("manifests").path(0)));
        var configuration = json(blob(layout, manifest.path("config")));
        var layers = new ArrayList<Path>();
        for (var described : manifest.path("layers")) {
            Path layer = blob(layout, described);
            try (var unpacked = new GZIPInputStream(Files.newInputStream(layer))) {
                assertThat(configuration
                                .at("/rootfs/diff_ids")
                                .path(layers.size())
                                .asString())
                        .isEqualTo("sha256:" + sha256(unpacked));
            }
            layers.add(layer);
        }
        assertThat(layers).hasSize(3);
        assertThat(layers.get(1)).hasSameBinaryContentAs(archive);
        return new Image(configuration, layers);
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
        return run(command, input, Map.of());
    }

    static Checkout.Outcome run(List<String> command, String input, Map<String, String> variables)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        var process = builder.start();
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
