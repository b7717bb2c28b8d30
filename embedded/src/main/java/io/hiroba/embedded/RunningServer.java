package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The server of a folder for a visitor: the one that runs there, or else one that is started and stopped for the visit. */
record RunningServer(Path root, Login login, AutoCloseable visit) implements AutoCloseable {

    static RunningServer of(EmbeddedConfig config, Progress progress) throws IOException {
        Path root = config.dataDir();
        var running = running(root);
        if (running != null) {
            return new RunningServer(root, running, () -> {});
        }
        var started = EmbeddedPostgres.start(config, progress);
        return new RunningServer(root, new Login(started.port(), started.password()), started);
    }

    private static @Nullable Login running(Path root) throws IOException {
        Path pgdata = root.resolve("data");
        var file = PostmasterFile.read(pgdata);
        Path password = root.resolve("password");
        if (file.isEmpty() || !file.get().ready() || !Files.exists(password)) {
            return null;
        }
        var login = new Login(file.get().port(), Files.readString(password).strip());
        return login.ask(pgdata, false) == Login.Answer.OURS ? login : null;
    }

    Path pgdata() {
        return root.resolve("data");
    }

    /** A connection of the superuser that may wait: a checkpoint takes its time. */
    Connection connect() throws SQLException {
        return login.connectPatiently("postgres");
    }

    @Override
    public void close() {
        try {
            visit.close();
        } catch (Exception e) {
            throw new EmbeddedException("The server of " + root + " did not stop: " + e.getMessage(), e);
        }
    }
}
