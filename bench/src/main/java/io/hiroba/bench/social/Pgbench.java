package io.hiroba.bench.social;

import io.hiroba.bench.BenchDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Runs pgbench, PostgreSQL's load generator. */
final class Pgbench {

    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");

    private final BenchDatabase database;

    Pgbench(BenchDatabase database) {
        this.database = database;
    }

    /** The executions per second of a prepared statement with named parameters, as in the stores. */
    double rate(int clients, String sql, Map<String, ?> parameters) {
        try {
            var script = Files.createTempFile(database.folder(), "list", ".sql");
            Files.writeString(script, sql + ";\n");
            var command = new java.util.ArrayList<>(List.of(
                    "pgbench",
                    "--no-vacuum",
                    "--protocol=prepared",
                    "--time=2",
                    "--client=" + clients,
                    "--host=127.0.0.1",
                    "--port=" + database.port(),
                    "--username=" + database.config().user(),
                    "--file=" + script));
            parameters.forEach((name, value) -> command.add("--define=" + name + "=" + value));
            command.add("postgres");
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("PGPASSWORD", database.config().password());
            var process = builder.start();
            var output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            var rate = RATE.matcher(output);
            if (!rate.find()) {
                throw new IllegalStateException("pgbench gave no rate: " + output);
            }
            return Double.parseDouble(rate.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException("pgbench is needed: it comes with PostgreSQL's contrib programs", e);
        }
    }
}
