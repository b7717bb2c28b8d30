package io.hiroba.backup;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/** A writer that rests only when it is told to: rows with rising numbers, each with a file that is written before, and when they were acknowledged. */
final class Ledger implements AutoCloseable {

    private final Path data;
    private final Connection connection;
    private final ConcurrentSkipListMap<Long, Instant> acknowledged = new ConcurrentSkipListMap<>();
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean paused;

    private Ledger(Path data, Connection connection) {
        this.data = data;
        this.connection = connection;
        this.thread = Thread.ofPlatform().unstarted(this::write);
    }

    static Ledger start(Path data, Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE ledger (id bigint PRIMARY KEY, at timestamptz NOT NULL)");
        }
        var ledger = new Ledger(data, connection);
        ledger.thread.start();
        return ledger;
    }

    static String file(long id) {
        return "media/" + id % 10 + "/" + id;
    }

    private void write() {
        try (var insert = connection.prepareStatement("INSERT INTO ledger VALUES (?, clock_timestamp())")) {
            for (long id = 1; !closing; id++) {
                while (paused && !closing) {
                    Thread.sleep(10);
                }
                var file = data.resolve(file(id));
                Files.createDirectories(file.getParent());
                Files.writeString(file, "file " + id);
                insert.setLong(1, id);
                insert.execute();
                acknowledged.put(id, Instant.now());
                Thread.sleep(10);
            }
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    Set<Long> acknowledgedBefore(Instant time) {
        return acknowledged.entrySet().stream()
                .filter(each -> each.getValue().isBefore(time))
                .map(each -> each.getKey())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Writes nothing until it is called again with false: each row is a file to copy. */
    void pause(boolean isPaused) {
        paused = isPaused;
    }

    /** A moment with acknowledged rows on both sides of it. */
    Instant busyMoment() {
        awaitRows();
        var time = Instant.now();
        awaitRows();
        return time;
    }

    void awaitRows() {
        var time = Instant.now();
        await().until(() -> acknowledgedBefore(Instant.now()).size()
                > acknowledgedBefore(time).size() + 50);
    }

    /** The numbers in a database, which may be a restored one. */
    static TreeSet<Long> read(Connection connection) throws SQLException {
        return new TreeSet<>(times(connection).keySet());
    }

    static TreeMap<Long, Instant> times(Connection connection) throws SQLException {
        var found = new TreeMap<Long, Instant>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT id, at FROM ledger")) {
            while (rows.next()) {
                found.put(rows.getLong(1), rows.getTimestamp(2).toInstant());
            }
        }
        return found;
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join();
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
