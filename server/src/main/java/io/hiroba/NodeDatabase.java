package io.hiroba;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.hiroba.accounts.FirstAdmin;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedException;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.LogLimits;
import io.hiroba.embedded.MajorUpgrade;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.StartException;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.db.DatabaseCheck;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.DatabaseException;
import io.hiroba.platform.db.Migrations;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.log.LogFiles;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.vault.VaultCredentials;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.flywaydb.core.api.FlywayException;

/** Opens the database of a node, the embedded one or the operator's own, and migrates it. */
final class NodeDatabase {

    /** Two files of PostgreSQL's log, which is at least as much as it needs to go on. */
    private static final long LEAST_ROOM = 32 << 20;

    private NodeDatabase() {}

    /** @param environment has Vault's own variables, where it has the credentials */
    static DatabaseConfig open(
            AppConfig config,
            Map<String, String> environment,
            MeterRegistry meters,
            Consumer<Text> progress,
            ResourceStack resources) {
        // Before the pools, and so given back after them.
        resources.add(config.database().keepCredentials(environment));
        config.database().inVault().forEach(credentials -> measure(credentials, meters));
        try {
            return migrated(config, progress, resources);
        } catch (EmbeddedException | DatabaseException | StartException e) {
            // A server of the database that ended for want of room says no more than that it has ended.
            var folder = config.data().toFile();
            throw config.database().url().isEmpty() && folder.exists()
                    ? full(config.data(), folder.getUsableSpace(), e)
                    : e;
        }
    }

    /** What to throw for a failure of the embedded database with so much free on its disk. */
    static RuntimeException full(Path data, long free, RuntimeException failure) {
        return free < LEAST_ROOM
                ? new StartException(
                        Text.of("server.start.no-room", "folder", data, "free", SystemCheck.size(free)), failure)
                : failure;
    }

    private static DatabaseConfig migrated(AppConfig config, Consumer<Text> progress, ResourceStack resources) {
        var database =
                config.database().url().isEmpty() ? embedded(config, progress, resources) : own(config, progress);
        progress.accept(Text.of("server.step.migrating"));
        try {
            Migrations.run(database, App.SCHEMAS);
            return database;
        } catch (FlywayException | PoolInitializationException e) {
            throw new StartException(
                    DatabaseCheck.lost(e)
                            .orElseGet(() ->
                                    Text.of("server.start.not-migrated", "reason", String.valueOf(e.getMessage()))),
                    e);
        }
    }

    private static void measure(VaultCredentials credentials, MeterRegistry meters) {
        Gauge.builder(
                        "hiroba.database.credentials.left",
                        credentials,
                        each -> seconds(each.state().left(), Double.NaN))
                .description("The time until the credentials of the database end that Vault has lent")
                .baseUnit("seconds")
                .tag("credentials", credentials.toString())
                .register(meters);
        Gauge.builder(
                        "hiroba.database.credentials.failing",
                        credentials,
                        each -> seconds(each.state().failingFor(), 0))
                .description("The time since which Vault has not renewed them as it should; 0 while it does")
                .baseUnit("seconds")
                .tag("credentials", credentials.toString())
                .register(meters);
    }

    private static double seconds(Optional<Duration> time, double otherwise) {
        return time.map(each -> each.toMillis() / 1000.0).orElse(otherwise);
    }

    private static DatabaseConfig own(AppConfig config, Consumer<Text> progress) {
        progress.accept(Text.of("server.step.connecting"));
        var database = DatabaseCheck.pass(config.database());
        if (Migrations.isFirst(database)) {
            requireFirstAdmin(config);
        }
        return database;
    }

    /** Before anything is made that a start with another password would find half done. */
    private static void requireFirstAdmin(AppConfig config) {
        FirstAdmin.requireUsable(config.admin(), config.accounts().passwordMinLength());
    }

    /** Before the start, which would take over a server of another version that still runs. */
    private static void requireOwnVersion(EmbeddedConfig embedded) {
        var own = MajorUpgrade.ownMajor(embedded);
        var major = MajorUpgrade.major(embedded).orElse(own);
        if (!major.equals(own)) {
            var isOlder = Integer.parseInt(major) < Integer.parseInt(own);
            throw new StartException(Text.of(
                    isOlder ? "server.start.older-database" : "server.start.newer-database",
                    "folder",
                    embedded.dataDir(),
                    "version",
                    major,
                    "own",
                    own));
        }
    }

    private static DatabaseConfig embedded(AppConfig config, Consumer<Text> progress, ResourceStack resources) {
        var embedded = new EmbeddedConfig(
                config.data().resolve("postgres"),
                EmbeddedConfig.defaultCacheDir(),
                true,
                new LogLimits(config.log().fileSize().bytes(), config.log().files()));
        requireOwnVersion(embedded);
        if (MajorUpgrade.major(embedded).isEmpty()) {
            requireFirstAdmin(config);
        }
        var postgres = resources.add(EmbeddedPostgres.start(
                embedded,
                step -> progress.accept(Text.of("server.step." + step.name().toLowerCase(Locale.ROOT)))));
        postgres.keepRunning(() -> Thread.ofPlatform().name("end").start(resources::close));
        resources.add(WorkLoop.every(LogFiles.INTERVAL, "database log", postgres::trimLogs));
        var app = postgres.app();
        var owner = postgres.owner();
        return DatabaseCheck.pass(config.database()
                .at(postgres.jdbcUrl("postgres"), app.name(), app.password())
                .ownedBy(owner.name(), owner.password()));
    }
}
