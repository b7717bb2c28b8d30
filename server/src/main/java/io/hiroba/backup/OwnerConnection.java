package io.hiroba.backup;

import io.hiroba.embedded.DatabaseVisit;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.platform.db.DatabaseCheck;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;

/** A connection of the owner of the schemas: to the operator's own database, or to the embedded one, which is started for it if need be. */
record OwnerConnection(Connection connection, AutoCloseable visit) implements AutoCloseable {

    static OwnerConnection open(BackupSources sources, DatabaseConfig database) throws IOException, SQLException {
        if (sources.hasOwnDatabase()) {
            return new OwnerConnection(Db.connect(DatabaseCheck.pass(database).asOwner()), () -> {});
        }
        BackupModule.requireRestored(sources.data());
        if (!Files.isDirectory(sources.database())) {
            throw new BackupException(Text.of("backup.problem.no-database", "folder", sources.data()));
        }
        var visit = DatabaseVisit.of(new EmbeddedConfig(sources.database(), EmbeddedConfig.defaultCacheDir(), true));
        return new OwnerConnection(visit.connection(), visit);
    }

    @Override
    public void close() throws SQLException {
        try (visit) {
            connection.close();
        } catch (SQLException e) {
            throw e;
        } catch (Exception e) {
            throw new SQLException(e);
        }
    }
}
