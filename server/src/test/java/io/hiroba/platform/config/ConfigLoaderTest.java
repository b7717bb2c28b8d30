package io.hiroba.platform.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {

    enum Mode {
        READ_ONLY,
        READ_WRITE
    }

    record Service(String url, @Default("3") int attempts) {}

    record Store(
            @Default("jdbc:x") String url,
            @Default("") @Secret String password,
            @Default("16") int poolSize,
            @Default("30s") Duration timeout) {
        Store {
            if (poolSize < 2) {
                throw new IllegalArgumentException("pool-size must be at least 2, not " + poolSize);
            }
        }
    }

    record Root(
            Store database,
            @Default("read-write") Mode mode,
            @Default("false") boolean demo,
            @Default("10MB") ByteSize uploadSize,
            @Default("a, b") List<String> hosts,
            @Default("0.5") double ratio,
            Map<String, Service> services,
            @Default("data") Path folder,
            @Default("7") long seed) {}

    @TempDir
    Path folder;

    private Path yaml(String text) throws IOException {
        return Files.writeString(folder.resolve("hiroba.yaml"), text);
    }

    private static List<String> errors(ConfigLoader<Root> loader) {
        try {
            loader.load();
        } catch (ConfigException e) {
            return e.errors();
        }
        return List.of();
    }

    @Test
    void theFileThatWasReadIsTold() throws IOException {
        var file = yaml("seed: 8\n");
        assertThat(ConfigLoader.of(Root.class).file(file, true).load().file()).contains(file.toAbsolutePath());
        assertThat(ConfigLoader.of(Root.class)
                        .file(folder.resolve("absent.yaml"))
                        .load()
                        .file())
                .isEmpty();
    }

    @Test
    void defaultsApplyWhereNothingIsSet() {
        var config = ConfigLoader.of(Root.class)
                .file(folder.resolve("absent.yaml"))
                .load()
                .value();
        assertThat(config)
                .isEqualTo(new Root(
                        new Store("jdbc:x", "", 16, Duration.ofSeconds(30)),
                        Mode.READ_WRITE,
                        false,
                        new ByteSize(10 << 20),
                        List.of("a", "b"),
                        0.5,
                        Map.of(),
                        Path.of("data"),
                        7));
    }

    @Test
    void flagsBeatTheEnvironmentWhichBeatsTheFile() throws IOException {
        var config = ConfigLoader.of(Root.class)
                .file(yaml("""
                        database:
                          url: from-file
                          pool-size: 3
                          timeout: 15m
                        hosts: [x, y]
                        mode: read-only
                        """))
                .environment(Map.of("HIROBA_DATABASE_POOL_SIZE", "4", "HIROBA_DATABASE_TIMEOUT", "90d", "PATH", "/bin"))
                .arguments(List.of("--database.timeout=2h", "--demo", "--seed", "9"))
                .load()
                .value();
        assertThat(config.database()).isEqualTo(new Store("from-file", "", 4, Duration.ofHours(2)));
        assertThat(config.hosts()).containsExactly("x", "y");
        assertThat(config.mode()).isEqualTo(Mode.READ_ONLY);
        assertThat(config.demo()).isTrue();
        assertThat(config.seed()).isEqualTo(9);
    }

    @Test
    void namedEntriesComeFromEverySource() throws IOException {
        var config = ConfigLoader.of(Root.class)
                .file(yaml("services: {billing: {url: b}, stock-room: {url: s}}"))
                .environment(Map.of("HIROBA_SERVICES_STOCK_ROOM_ATTEMPTS", "5"))
                .arguments(List.of("--services.mail.url=m"))
                .load()
                .value();
        assertThat(config.services())
                .isEqualTo(Map.of(
                        "billing",
                        new Service("b", 3),
                        "stock-room",
                        new Service("s", 5),
                        "mail",
                        new Service("m", 3)));
    }

    @Test
    void everyMistakeIsToldAtOnceWithItsPlaceAndTheNearestKey() throws IOException {
        var told = errors(ConfigLoader.of(Root.class)
                .file(yaml("databse.url: x\nratio: much\nservices: {billing: {attempts: 1}}"))
                .environment(Map.of(
                        "HIROBA_DATABASE_POLSIZE", "4", "HIROBA_DATABASE_POOL_SIZE", "1", "HIROBA_JAVA_HOME", "/h"))
                .arguments(List.of("--sed=1", "--upload-size=big", "stray")));
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "unknown variable `HIROBA_DATABASE_POLSIZE` in the environment, did you mean `HIROBA_DATABASE_POOL_SIZE`?",
                        "unexpected argument `stray`: settings are written --key=value",
                        "unknown key `databse.url` in hiroba.yaml, did you mean `database.url`?",
                        "unknown flag `--sed`, did you mean `--seed`?",
                        "`database.pool-size` from HIROBA_DATABASE_POOL_SIZE must be at least 2, not 1",
                        "`ratio` from hiroba.yaml is not a number: `much`",
                        "`upload-size` from --upload-size is not a size such as 64KB or 10MB: `big`",
                        "`services.billing.url` is required: set it in hiroba.yaml, as HIROBA_SERVICES_BILLING_URL or with --services.billing.url");
    }

    @Test
    void brokenYamlIsOneSentenceWithItsLine() throws IOException {
        assertThat(errors(ConfigLoader.of(Root.class).file(yaml("mode: read-only\nhosts: [a\n"))))
                .singleElement()
                .asString()
                .startsWith("hiroba.yaml is not valid YAML at line");
        for (var text : List.of("seed: 1\nmode: x\nseed: 2\n", "seed: 1\n\nseed:\n  more: 2\n")) {
            assertThat(errors(ConfigLoader.of(Root.class).file(yaml(text))))
                    .containsExactly("`seed` is there twice in hiroba.yaml, again at line 3: remove one");
        }
        assertThat(errors(ConfigLoader.of(Root.class).file(yaml("database:\n\turl: x\n"))))
                .containsExactly("hiroba.yaml has a tab at the start of line 2: tabs cannot indent, use spaces");
    }

    @Test
    void aDefaultThatIsRefusedIsInNoPlaceToLook() {
        record Limits(@Default("0") int most) {
            Limits {
                if (most < 1) {
                    throw new IllegalArgumentException("most must be at least 1");
                }
            }
        }
        assertThatThrownBy(() -> ConfigLoader.of(Limits.class).load()).hasMessage("`most` must be at least 1");
    }

    @Test
    void aShortFlagMeansItsKey() {
        var loader = ConfigLoader.of(Root.class).alias("pool", "database.pool-size");
        assertThat(loader.arguments(List.of("--pool", "8"))
                        .load()
                        .value()
                        .database()
                        .poolSize())
                .isEqualTo(8);
        assertThatThrownBy(() -> loader.arguments(List.of("--pool")).load())
                .isInstanceOf(ConfigException.class)
                .hasMessage("`--pool` needs a value");
    }

    @Test
    void thePrintedConfigurationNamesOriginsAndMasksSecrets() throws IOException {
        var loaded = ConfigLoader.of(Root.class)
                .file(yaml("services: {billing: {url: \"http://b:1\"}}"))
                .environment(Map.of("HIROBA_DATABASE_PASSWORD", "hunter2"))
                .load();
        assertThat(loaded.print()).isEqualTo("""
                database:
                  url: "jdbc:x"  # default
                  password: ********  # HIROBA_DATABASE_PASSWORD
                  pool-size: 16  # default
                  timeout: 30s  # default
                mode: read-write  # default
                demo: false  # default
                upload-size: 10MB  # default
                hosts: [a, b]  # default
                ratio: 0.5  # default
                services:
                  billing:
                    url: "http://b:1"  # hiroba.yaml
                    attempts: 3  # default
                folder: data  # default
                seed: 7  # default
                """);
        assertThat(loaded.isSet("database.password")).isTrue();
        assertThat(loaded.isSet("seed")).isFalse();
    }

    @Test
    void aSecretNeverShowsInAMistake() {
        record Vault(@Secret @Default("1") int pin) {}
        assertThatThrownBy(() -> ConfigLoader.of(Vault.class)
                        .environment(Map.of("HIROBA_PIN", "hunter2"))
                        .load())
                .hasMessage("`pin` from HIROBA_PIN is not a whole number");
    }
}
