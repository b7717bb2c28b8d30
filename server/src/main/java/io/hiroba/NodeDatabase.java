package io.hiroba;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.LogLimits;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.StartException;
import io.hiroba.platform.db.DatabaseCheck;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Migrations;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.log.LogFiles;
import io.hiroba.platform.task.WorkLoop;
import java.util.Locale;
import java.util.function.Consumer;
import org.flywaydb.core.api.FlywayException;

/** Opens the database of a node, the embedded one or the operator's own, and migrates it. */
final class NodeDatabase {

    private NodeDatabase() {}

    static DatabaseConfig open(AppConfig config, Consumer<Text> progress, ResourceStack resources) {
        var database = config.database().url().isEmpty()
                ? embedded(config, progress, resources)
                : own(config.database(), progress);
        progress.accept(Text.of("server.step.migrating"));
        try {
            Migrations.run(database, App.SCHEMAS);
            return database;
        } catch (FlywayException | PoolInitializationException e) {
            throw new StartException(Text.of("server.start.not-migrated", "reason", String.valueOf(e.getMessage())), e);
        }
    }

    private static DatabaseConfig own(DatabaseConfig database, Consumer<Text> progress) {
        progress.accept(Text.of("server.step.connecting"));
        return DatabaseCheck.pass(database);
    }

    private static DatabaseConfig embedded(AppConfig config, Consumer<Text> progress, ResourceStack resources) {
        var embedded = new EmbeddedConfig(
                config.data().resolve("postgres"),
                EmbeddedConfig.defaultCacheDir(),
                true,
                new LogLimits(config.log().fileSize().bytes(), config.log().files()));
        var postgres = resources.add(EmbeddedPostgres.start(
                embedded,
                step -> progress.accept(Text.of("server.step." + step.name().toLowerCase(Locale.ROOT)))));
        resources.add(WorkLoop.every(LogFiles.INTERVAL, "database log", postgres::trimLogs));
        var app = postgres.app();
        var owner = postgres.owner();
        return DatabaseCheck.pass(config.database()
                .at(postgres.jdbcUrl("postgres"), app.name(), app.password())
                .ownedBy(owner.name(), owner.password()));
    }
}
