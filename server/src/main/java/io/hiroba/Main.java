package io.hiroba;

import io.hiroba.backup.BackupCommand;
import io.hiroba.backup.BackupModule;
import io.hiroba.backup.FileFailure;
import io.hiroba.backup.UpgradeCommand;
import io.hiroba.demo.Demo;
import io.hiroba.embedded.DebianPrograms;
import io.hiroba.embedded.Dictionaries;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedException;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.EmbeddedReport;
import io.hiroba.embedded.EmbeddedReport.Part;
import io.hiroba.embedded.EmbeddedReport.State;
import io.hiroba.embedded.Progress;
import io.hiroba.knowledge.embedding.EmbeddingConfig;
import io.hiroba.knowledge.embedding.ModelsCommand;
import io.hiroba.platform.ProgramVersion;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.StartException;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.config.ConfigException;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.platform.config.LoadedConfig;
import io.hiroba.platform.db.DatabaseCheck;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.DatabaseException;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.gloss.Glosses;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.log.LogConfigurator;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.CarrierWatch;
import io.hiroba.platform.text.DisplayWidth;
import io.hiroba.system.SystemModule;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's command line: {@code serve}, {@code config}, {@code doctor}, {@code postgresql}, {@code postgresql-client},
 * {@code models}, {@code backup}, {@code restore} and {@code upgrade-database}.
 */
public final class Main {

    private static final Logger log = LoggerFactory.getLogger(Main.class);

    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final char READY = '✓';
    private static final char POSSIBLE = '–';
    private static final char MISSING = '✗';
    private static final int LABEL_WIDTH = 12;

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> environment;
    private final Language language;

    /** @param environment its variables also tell the language, as in other programs */
    Main(PrintStream out, PrintStream err, Map<String, String> environment) {
        this.out = out;
        this.err = err;
        this.environment = Map.copyOf(environment);
        this.language = Language.ofShell(environment);
    }

    public static void main(String[] args) {
        CarrierWatch.start();
        trustConnections();
        JavaLogHandler.install();
        int status = new Main(System.out, System.err, System.getenv()).run(List.of(args));
        if (status != 0) {
            System.exit(status);
        }
    }

    /**
     * A connection that was used within this time is not checked before it is used again: the check is a transaction, and on a
     * node at rest there were as many of them as of those that do something.
     */
    private static void trustConnections() {
        var window = "com.zaxxer.hikari.aliveBypassWindowMs";
        if (System.getProperty(window) == null) {
            System.setProperty(window, "10000");
        }
    }

    /** Runs a command; the answer is the exit status. {@code serve} returns when it cannot start or go on. */
    int run(List<String> args) {
        var command = args.isEmpty() ? "serve" : args.getFirst();
        // What comes after it are words of the command, and no settings.
        int end = args.contains("--") ? args.indexOf("--") : args.size();
        try {
            var config = load(args.isEmpty() ? args : args.subList(1, end));
            var words = args.subList(Math.min(end + 1, args.size()), args.size());
            switch (command) {
                case "serve" -> {
                    return serve(config);
                }
                case "config" -> out.print(config.print());
                case "doctor" -> {
                    return doctor(config.value(), config.file());
                }
                case "postgresql" ->
                    out.println(EmbeddedPostgres.provide(EmbeddedConfig.defaultCacheDir(), this::tell));
                case "postgresql-client" ->
                    out.println(DebianPrograms.postgresqlClient(EmbeddedConfig.defaultCacheDir(), this::tell));
                case "models" -> {
                    return models(config.value()).run(words);
                }
                case "upgrade-database" -> {
                    BackupModule.requireRestored(config.value().data());
                    var sources = config.value().backupSources(config.file());
                    return new UpgradeCommand(sources, App.SCHEMAS, language, out, err).run(words);
                }
                case "backup", "restore" -> {
                    try (var _ = config.value().database().keepCredentials(environment)) {
                        var backups = backups(config.value(), config.file());
                        return command.equals("backup") ? backups.backup(words) : backups.restore(words);
                    }
                }
                default -> {
                    err.println(Text.of("server.no-command", "command", command).in(language));
                    return MISUSED;
                }
            }
            return 0;
        } catch (ConfigException e) {
            e.errors().forEach(error -> err.println("configuration: " + error));
            return MISUSED;
        } catch (DatabaseException e) {
            return refused(e.sentence());
        } catch (StartException e) {
            return refused(e.sentence());
        } catch (Problem e) {
            return refused(e.detail());
        } catch (EmbeddedException e) {
            err.println(e.getMessage());
            return FAILED;
        } catch (RuntimeException e) {
            return refused(DatabaseCheck.lost(e).orElseThrow(() -> e));
        }
    }

    private int refused(Text sentence) {
        err.println(sentence.in(language));
        return FAILED;
    }

    private LoadedConfig<AppConfig> load(List<String> args) {
        var flags = new ArrayList<>(args);
        int flag = flags.indexOf("--config");
        String file = environment.getOrDefault("HIROBA_CONFIG", "");
        if (flag >= 0 && flag + 1 < flags.size()) {
            file = flags.get(flag + 1);
            flags.subList(flag, flag + 2).clear();
        }
        var loader = ConfigLoader.of(AppConfig.class)
                .environment(environment)
                .arguments(flags)
                .alias("port", "http.port")
                .alias("host", "http.host");
        return loader.file(Path.of(file.isEmpty() ? "hiroba.yaml" : file), !file.isEmpty())
                .load();
    }

    /** Returns when the node has ended: with success if it was told to. */
    private int serve(LoadedConfig<AppConfig> config) {
        // Before anything is written: what is in the folder is still to be restored.
        BackupModule.requireRestored(config.value().data());
        var resources = new ResourceStack();
        var ended = new CountDownLatch(1);
        resources.add(ended::countDown);
        var told = new AtomicBoolean();
        var manager = ServiceNotifier.of(environment);
        LogConfigurator.configure(config.value().log());
        log.info(
                "Hiroba {} is starting as process {}, with its data in {}",
                ProgramVersion.CURRENT,
                ProcessHandle.current().pid(),
                config.value().data());
        // Before the start, so that being stopped in the middle of it leaves no database running.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            told.set(true);
            log.info("Hiroba is stopping");
            step(Text.of("server.stopping"));
            manager.ifPresent(ServiceNotifier::stopping);
            resources.close();
            log.info("Hiroba has stopped");
            out.println("STOPPED");
        }));
        var app = App.start(config, Clock.systemUTC(), this::step, resources);
        Thread.ofPlatform().daemon().name("dictionaries").start(() -> fetchDictionaries(config.value()));
        out.println(new StartupBanner(config, app).in(language));
        if (!config.value().demo() || fillDemo(app)) {
            log.info("Hiroba is ready at {}", app.address());
            out.println("READY " + app.address());
            manager.ifPresent(notifier -> notifier.ready(resources));
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return told.get() ? 0 : FAILED;
    }

    /** In the background: without them everything else works. */
    private static void fetchDictionaries(AppConfig config) {
        var embedding = config.knowledge().embedding();
        if (embedding.provider() != EmbeddingConfig.Kind.LOCAL || !embedding.glosses()) {
            return;
        }
        try {
            Dictionaries.fetch(EmbeddedConfig.defaultCacheDir());
            Glosses.install();
        } catch (IOException | EmbeddedException e) {
            log.warn("The dictionaries of Japanese and Chinese could not be fetched: {}", e.getMessage());
        }
    }

    private void step(Text what) {
        out.println("· " + what.in(language));
    }

    /** Says how far it is, in lines that the launcher draws a bar from; false if the node is being stopped. */
    private boolean fillDemo(App app) {
        var shown = new AtomicInteger(-1);
        try {
            var outcome = app.fillDemo((acts, all) -> {
                int percent = (int) (100L * acts / all);
                if (shown.getAndSet(percent) != percent) {
                    step(Text.of("server.demo.filling", "percent", percent));
                }
            });
            step(
                    switch (outcome) {
                        case FILLED -> Text.of("server.demo.filled");
                        case ALREADY_FULL -> Text.of("server.demo.full");
                        case INTERRUPTED -> Text.of("server.demo.interrupted");
                    });
            if (outcome != Demo.Result.INTERRUPTED) {
                out.println("DEMO full");
            }
            return outcome != Demo.Result.INTERRUPTED;
        } catch (RuntimeException e) {
            // No reason to end: everything else works.
            log.error("the demo community could not be filled", e);
            step(Text.of("server.demo.failed"));
            return true;
        }
    }

    private ModelsCommand models(AppConfig config) {
        return new ModelsCommand(config.data(), config.knowledge().installedModels(), language, System.in, out, err);
    }

    private BackupCommand backups(AppConfig config, Optional<Path> file) {
        return new BackupCommand(config.backupSources(file), config.backup(), config.database(), language, out, err);
    }

    private int doctor(AppConfig config, Optional<Path> file) {
        if (!config.database().url().isEmpty()) {
            try (var _ = config.database().keepCredentials(environment)) {
                var database = DatabaseCheck.inspect(config.database());
                print(State.READY, Part.DATABASE, Text.of("server.doctor.configured"));
                inspect(database);
                return 0;
            }
        }
        var folders = new EmbeddedConfig(config.data().resolve("postgres"), EmbeddedConfig.defaultCacheDir(), true);
        var report = EmbeddedReport.inspect(folders);
        report.lines().forEach(line -> print(line.state(), line.part(), finding(line)));
        EmbeddedPostgres.running(folders)
                .ifPresent(server -> inspect(config.database()
                        .at(
                                server.jdbcUrl(),
                                server.role().name(),
                                server.role().password())));
        try {
            BackupModule.inspect(config.backup(), config.backupSources(file), Clock.systemUTC())
                    .forEach(this::print);
        } catch (IOException e) {
            err.println(FileFailure.sentence(e).in(language));
        }
        return report.usable() ? 0 : FAILED;
    }

    /** The state of a database that answers, each line with what to do where something is to be done. */
    private void inspect(DatabaseConfig database) {
        try (var db = Db.open(database.withPoolSize(2))) {
            SystemModule.inspect(db).forEach(this::print);
        }
    }

    private void print(SystemCheck check) {
        var advice = check.advice();
        printLine(advice == null ? READY : POSSIBLE, check.label(), check.value());
        if (advice != null) {
            out.println("      → " + advice.in(language));
        }
    }

    private void print(State state, Part part, Text finding) {
        var sign = switch (state) {
            case READY -> READY;
            case POSSIBLE -> POSSIBLE;
            case ATTENTION, MISSING -> MISSING;
        };
        printLine(sign, Text.of("server.part." + name(part)), finding);
    }

    /** As the launcher writes what it finds itself. */
    private void printLine(char sign, Text label, Text finding) {
        out.println("  " + sign + " " + DisplayWidth.padded(label.in(language), List.of(" ".repeat(LABEL_WIDTH))) + " "
                + finding.in(language));
    }

    private static Text finding(EmbeddedReport.Line line) {
        return new Text("server.doctor." + name(line.finding()), Map.copyOf(line.values()));
    }

    /** Beside the answer of a command, which goes to the output. */
    private void tell(Progress.Step step) {
        err.println("· " + Text.of("server.step." + name(step)).in(language));
    }

    private static String name(Enum<?> each) {
        return each.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
