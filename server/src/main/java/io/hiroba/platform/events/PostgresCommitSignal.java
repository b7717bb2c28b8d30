package io.hiroba.platform.events;

import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A commit signal for all nodes, through PostgreSQL. It is sent after the commit and in a statement of its own: a
 * notification within the transactions would let their commits wait for each other.
 */
public final class PostgresCommitSignal extends SharedCommitSignal {

    private static final Logger log = LoggerFactory.getLogger(PostgresCommitSignal.class);
    private static final Duration SEND_INTERVAL = Duration.ofMillis(10);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(30);
    private static final Duration ANSWER_TIME = Duration.ofSeconds(5);

    private final Db db;
    private final DatabaseConfig config;
    private final CommitSignalStore store = new CommitSignalStore();
    private final WorkLoop receiver;
    private volatile @Nullable Connection connection;
    private volatile boolean closing;
    private volatile boolean hasNewLogin;

    /** @param config for one connection beside those of {@code db} */
    public PostgresCommitSignal(Db db, DatabaseConfig config) {
        this(db, config, ANSWER_TIME);
    }

    PostgresCommitSignal(Db db, DatabaseConfig config, Duration answerTime) {
        super(SEND_INTERVAL, answerTime);
        this.db = db;
        this.config = config;
        receiver = WorkLoop.every(RETRY_DELAY, "signal receiver", this::receiveUntilClosed);
    }

    @Override
    void publish(List<String> messages) {
        db.read(reads -> store.send(reads, messages));
    }

    private void receiveUntilClosed() {
        try (var own = store.listen(config);
                var _ = config.credentials().onChange(() -> hasNewLogin = true)) {
            hasNewLogin = false;
            connection = own;
            // What was sent while nobody listened is lost.
            receiveAll();
            greet();
            while (!closing && !hasNewLogin) {
                store.receive(own, CHECK_INTERVAL).forEach(this::received);
            }
        } catch (SQLException e) {
            if (!closing) {
                log.warn("signals of other nodes are not received, which is tried again", e);
            }
        } finally {
            deafen();
        }
    }

    @Override
    public void close() {
        closing = true;
        super.close();
        receiver.stop();
        var own = connection;
        if (own != null) {
            try {
                own.abort(Runnable::run);
            } catch (SQLException e) {
                log.debug("the connection was closed already", e);
            }
        }
        receiver.close();
    }
}
