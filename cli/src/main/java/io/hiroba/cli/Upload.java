package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Uploads a file in parts, and resumes at the offset that the server reports. */
final class Upload {

    private static final int PART = 8 << 20;
    private static final int TRIES = 5;
    private static final long PROGRESS_INTERVAL = TimeUnit.SECONDS.toNanos(1);

    private final Api api;
    private final String content;
    private final ProgressBar bar;

    /** @param content the path to upload to */
    Upload(Api api, String content, ProgressBar bar) {
        this.api = api;
        this.content = content;
        this.bar = bar;
    }

    void send(Path file, long size) {
        int failures = 0;
        long there = received();
        while (there < size) {
            bar.show(text("progress.sending"), there, size, "");
            var part = part(file, there, size);
            try {
                api.append(content, there, part);
                there += part.length;
                failures = 0;
            } catch (Failure e) {
                // The connection broke, or another client sends the same file: the server knows the offset.
                if ((e.exitCode() != Cli.UNREACHABLE && e.status() != 409) || ++failures == TRIES) {
                    throw e;
                }
                LockSupport.parkNanos(PROGRESS_INTERVAL);
                there = received();
            }
        }
    }

    private long received() {
        var said = api.header(content, "Upload-Offset");
        if (!said.matches("[0-9]{1,18}")) {
            throw Failure.notHiroba(api.server().uri(), 200);
        }
        return Long.parseLong(said);
    }

    private static byte[] part(Path file, long from, long size) {
        var part = new byte[(int) Math.min(PART, size - from)];
        try (var content = new RandomAccessFile(file.toFile(), "r")) {
            content.seek(from);
            content.readFully(part);
            return part;
        } catch (IOException e) {
            throw Failure.unreadable(file, e);
        }
    }
}
