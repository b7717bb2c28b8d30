package io.hiroba.testkit;

import io.hiroba.App;
import io.hiroba.AppConfig;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.platform.db.DatabaseConfig;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A whole Hiroba on a free port over a database of its own. */
public final class TestServer implements AutoCloseable {

    public static final String ADMIN_EMAIL = "admin@square.example";
    public static final String ADMIN_PASSWORD = "a long password";

    private final TestDatabase database;
    private final Path data;
    private final App app;

    private TestServer(TestDatabase database, Path data, App app) {
        this.database = database;
        this.data = data;
        this.app = app;
    }

    /** Starts it with the settings of {@code flags}, such as {@code --http.rate-limit.enabled=false}. */
    public static TestServer start(String... flags) {
        return on(TestDatabase.create(), flags);
    }

    /** Starts it on a database that it takes with it when it is closed. */
    public static TestServer on(TestDatabase database, String... flags) {
        return on(database, Clock.systemUTC(), flags);
    }

    /** Starts it as a node with this clock. */
    public static TestServer start(Clock clock, String... flags) {
        return on(TestDatabase.create(), clock, flags);
    }

    private static TestServer on(TestDatabase database, Clock clock, String... flags) {
        var data = Scratch.create("hiroba-server");
        return new TestServer(database, data, node(database.config(), data, clock, List.of(flags)));
    }

    /** Starts one more node on a database, which the caller closes. */
    public static App node(DatabaseConfig config, Path data, String... flags) {
        return node(config, data, Clock.systemUTC(), List.of(flags));
    }

    private static App node(DatabaseConfig config, Path data, Clock clock, List<String> flags) {
        var arguments = new ArrayList<>(List.of(
                "--data=" + data,
                "--http.port=0",
                "--database.url=" + config.url(),
                "--database.user=" + config.user(),
                "--database.password=" + config.password(),
                "--database.owner.user=" + config.owner().user(),
                "--database.owner.password=" + config.owner().password(),
                "--accounts.hashing.memory-kib=8",
                "--accounts.hashing.iterations=1",
                "--admin.email=" + ADMIN_EMAIL,
                "--admin.password=" + ADMIN_PASSWORD));
        arguments.addAll(flags);
        var loaded = ConfigLoader.of(AppConfig.class)
                .environment(Map.of())
                .arguments(arguments)
                .load();
        return App.start(loaded, clock, step -> {});
    }

    /** Where it answers, without a slash at the end. */
    public String url() {
        return app.address().toString();
    }

    public App app() {
        return app;
    }

    public TestDatabase database() {
        return database;
    }

    /** The data folder, with mail in {@code mail}. */
    public Path data() {
        return data;
    }

    @Override
    public void close() {
        app.close();
        database.close();
        Scratch.delete(data);
    }
}
