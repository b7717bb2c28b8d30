package io.hiroba;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.StartException;
import io.hiroba.platform.db.DatabaseCheck;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Migrations;
import io.hiroba.platform.i18n.Text;
import java.util.Locale;
import java.util.function.Consumer;
import org.flywaydb.core.api.FlywayException;

/** The database that a node works on: the one that its settings name, or else the embedded one, brought up to date. */
final class AppDatabase {

    private AppDatabase() {}

    static DatabaseConfig prepare(AppConfig config, Consumer<Text> progress, ResourceStack resources) {
        var database = connect(config, progress, resources);
        progress.accept(Text.of("server.step.migrating"));
        migrate(database);
        return database;
    }

    private static DatabaseConfig connect(AppConfig config, Consumer<Text> progress, ResourceStack resources) {
        var database = config.database();
        if (!database.url().isEmpty()) {
            progress.accept(Text.of("server.step.connecting"));
            return DatabaseCheck.pass(database);
        }
        var embedded = new EmbeddedConfig(config.data().resolve("postgres"), EmbeddedConfig.defaultCacheDir(), true);
        var postgres = resources.add(EmbeddedPostgres.start(
                embedded,
                step -> progress.accept(Text.of("server.step." + step.name().toLowerCase(Locale.ROOT)))));
        var app = postgres.app();
        var owner = postgres.owner();
        return DatabaseCheck.pass(database.at(postgres.jdbcUrl("postgres"), app.name(), app.password())
                .ownedBy(owner.name(), owner.password()));
    }

    private static void migrate(DatabaseConfig database) {
        try {
            Migrations.run(database, App.SCHEMAS);
        } catch (FlywayException | PoolInitializationException e) {
            throw new StartException(Text.of("server.start.not-migrated", "reason", String.valueOf(e.getMessage())), e);
        }
    }
}
