package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** PostgreSQL's own {@code postmaster.pid}: lines in a fixed order, the later ones added while it starts. */
record PostmasterFile(long pid, int port, String status, String text) {
    private static final int PORT_LINE = 3;
    private static final int STATUS_LINE = 7;

    static Path in(Path pgdata) {
        return pgdata.resolve("postmaster.pid");
    }

    static Optional<PostmasterFile> read(Path pgdata) {
        try {
            return parse(Files.readString(in(pgdata)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new EmbeddedException("The file " + in(pgdata) + " cannot be read: check who owns it.", e);
        }
    }

    /** Empty for a file that was cut off before its first line was complete. */
    static Optional<PostmasterFile> parse(String text) {
        List<String> lines = text.lines().map(String::strip).toList();
        long pid = lines.isEmpty() ? 0 : number(lines.getFirst());
        if (pid <= 0) {
            return Optional.empty();
        }
        int port = lines.size() > PORT_LINE ? (int) number(lines.get(PORT_LINE)) : 0;
        String status = lines.size() > STATUS_LINE ? lines.get(STATUS_LINE) : "";
        return Optional.of(new PostmasterFile(pid, port, status, text));
    }

    private static long number(String line) {
        try {
            return Long.parseLong(line);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    boolean ready() {
        return status.equals("ready") && port > 0;
    }

    /** The same file naming another process; the shared memory it names, PostgreSQL's guard, stays. */
    String withPid(long other) {
        int end = text.indexOf('\n');
        return other + (end < 0 ? "\n" : text.substring(end));
    }
}
