package io.hiroba.testkit;

import io.hiroba.App;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Migrations;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A migrated database of its own for one test class, cloned from a template. Clones are made ahead of their use, one after
 * the other, and dropped behind it: what they take lies in memory.
 */
public final class TestDatabase implements AutoCloseable {

    /** Fewer than a server has, since each is eleven tables to copy. */
    public static final int INBOX_PARTITIONS = 4;

    private static final String TEMPLATE = "hiroba_template";
    private static final int CLONED_AHEAD = 2;
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final ExecutorService CLONING = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("clones").factory());
    private static final Queue<Future<String>> CLONES = new ConcurrentLinkedQueue<>();

    static {
        execute("CREATE DATABASE " + TEMPLATE);
        own(TEMPLATE);
        for (var feature : App.SCHEMAS) {
            Migrations.of(feature, configFor(TEMPLATE))
                    .placeholders(Map.of(Migrations.INBOX_PARTITIONS, Integer.toString(INBOX_PARTITIONS)))
                    .load()
                    .migrate();
        }
        Migrations.run(configFor(TEMPLATE), App.SCHEMAS);
        for (int n = 0; n < CLONED_AHEAD; n++) {
            CLONES.add(CLONING.submit(TestDatabase::newClone));
        }
    }

    private final String name;
    private final Db db;

    private TestDatabase(String name) {
        this.name = name;
        this.db = Db.open(superuser());
    }

    public static TestDatabase create() {
        CLONES.add(CLONING.submit(TestDatabase::newClone));
        try {
            return new TestDatabase(CLONES.remove().get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a database was cloned", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** A copy of a database that nobody is connected to, with all that is in it. */
    static TestDatabase copyOf(String template) {
        return new TestDatabase(cloneOf(template));
    }

    /** A database without a schema. */
    public static TestDatabase createEmpty() {
        var name = nextName();
        execute("CREATE DATABASE " + name);
        own(name);
        return new TestDatabase(name);
    }

    private static String nextName() {
        return "hiroba_" + COUNT.incrementAndGet();
    }

    private static String newClone() {
        return cloneOf(TEMPLATE);
    }

    private static String cloneOf(String template) {
        var name = nextName();
        // Copying files is half the work of logging every page of the copy.
        execute("CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY FILE_COPY");
        return name;
    }

    /** Lets go of the connections, and keeps the database as a template of that name. */
    String toTemplate() {
        db.close();
        return name;
    }

    /** As a superuser: tests look into the server's own tables, and break what no role of a node may. */
    public Db db() {
        return db;
    }

    /** How a node reaches this database, with the roles of one, for a second node or another process. */
    public DatabaseConfig config() {
        return configFor(name);
    }

    @Override
    public void close() {
        db.close();
        CLONING.execute(() -> execute("DROP DATABASE " + name + " WITH (FORCE)"));
    }

    private static DatabaseConfig configFor(String database) {
        var postgres = TestPostgres.get();
        var app = postgres.app();
        var owner = postgres.owner();
        return DatabaseConfig.of(postgres.jdbcUrl(database), app.name(), app.password())
                .ownedBy(owner.name(), owner.password());
    }

    /** How a superuser reaches this database. */
    public DatabaseConfig superuser() {
        var postgres = TestPostgres.get();
        return DatabaseConfig.of(postgres.jdbcUrl(name), postgres.user(), postgres.password());
    }

    /** Gives what a superuser created to the owner of the schemas, as the start of the embedded server does. */
    public void handOver() {
        own(name);
    }

    private static void own(String database) {
        try {
            TestPostgres.get().own(database);
        } catch (SQLException e) {
            throw new IllegalStateException(database, e);
        }
    }

    private static void execute(String sql) {
        var postgres = TestPostgres.get();
        try (var connection = DriverManager.getConnection(
                        postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
