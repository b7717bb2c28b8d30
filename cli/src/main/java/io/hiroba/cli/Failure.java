package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;

/** A failed command, with a sentence for people, JSON for programs and an exit code for scripts. */
final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int UNAUTHENTICATED = 401;

    private final int exitCode;
    private final int status;
    private final String json;

    private Failure(int exitCode, int status, String sentence, String json) {
        super(sentence, null, false, false);
        this.exitCode = exitCode;
        this.status = status;
        this.json = json;
    }

    /** An error found by the client itself. */
    static Failure of(int exitCode, String code, String sentence) {
        return new Failure(exitCode, 0, sentence, CliJson.problem(code, sentence));
    }

    static Failure usage(String sentence) {
        return of(Cli.USAGE, "cli.usage", sentence);
    }

    static Failure unreachable(URI server) {
        return of(Cli.UNREACHABLE, "cli.unreachable", text("failure.unreachable", server));
    }

    static Failure notSignedIn(URI server) {
        return of(Cli.FAILED, "cli.not-signed-in", text("failure.not-signed-in", server));
    }

    static Failure notHiroba(URI server, int status) {
        return of(Cli.FAILED, "cli.not-hiroba", text("failure.not-hiroba", server, status));
    }

    /** A file, or standard input, that cannot be read. */
    static Failure unreadable(Object what, IOException problem) {
        return of(Cli.FAILED, "cli.input", text("input.unreadable", what, reason(problem)));
    }

    /** Why a file cannot be read or written, in words. */
    static String reason(IOException problem) {
        return switch (problem) {
            case NoSuchFileException _ -> text("input.no-such-file");
            case AccessDeniedException _ -> text("input.no-access");
            case FileSystemException system when system.getReason() != null -> system.getReason();
            default -> String.valueOf(problem.getMessage());
        };
    }

    static Failure unexpected(Exception problem) {
        return of(Cli.FAILED, "cli.failed", text("failure.unexpected", problem));
    }

    /** A problem of the server: its message, and a line for each invalid field. */
    static Failure refused(JsonNode problem, int status) {
        var lines = new StringJoiner("\n");
        String detail = problem.path("detail").asString("");
        lines.add(detail.isEmpty() ? problem.path("title").asString(text("failure.status", status)) : detail);
        var errors = problem.path("errors");
        boolean saidAlready = errors.size() == 1
                && detail.contains(errors.path(0).path("field").asString("?"));
        if (!saidAlready) {
            for (var error : errors) {
                lines.add("  " + error.path("field").asString("") + ": "
                        + error.path("message").asString(""));
            }
        }
        if (status == UNAUTHENTICATED) {
            lines.add(text("failure.sign-in"));
        }
        return new Failure(Cli.FAILED, status, lines.toString(), CliJson.text(problem));
    }

    /** The same where somebody is signing in: to be told to do so is no help. */
    Failure inSignIn() {
        if (status != UNAUTHENTICATED) {
            return this;
        }
        var code = CliJson.read(json)
                .map(problem -> problem.path("code").asString(""))
                .orElse("");
        var said = sentence();
        var better = code.equals("accounts.second-factor-required")
                ? text("failure.add-code")
                : said.substring(0, said.lastIndexOf('\n'));
        return new Failure(exitCode, status, better, json);
    }

    int exitCode() {
        return exitCode;
    }

    /** The HTTP status of the server's problem; 0 if the client failed by itself. */
    int status() {
        return status;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }

    String json() {
        return json;
    }
}
