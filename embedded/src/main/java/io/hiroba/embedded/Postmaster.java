package io.hiroba.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server process of one data folder: found, started and stopped. It outlives the process that started it. */
final class Postmaster {
    /** Recovery after a crash reads the log written since the last checkpoint, which takes its time. */
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
    private static final Duration ORPHANS_LIMIT = Duration.ofSeconds(3);
    private static final int ATTEMPTS = 5;
    private static final Logger log = LoggerFactory.getLogger(Postmaster.class);

    private final PgHome home;
    private final DataFolder folder;
    private final RunAs runAs;
    private final List<String> settings;
    private final Duration startLimit;
    private final boolean isLowPriority;

    Postmaster(PgHome home, DataFolder folder, RunAs runAs) {
        this(home, folder, runAs, List.of(), START_LIMIT, false);
    }

    Postmaster(PgHome home, DataFolder folder, RunAs runAs, Recovery recovery) {
        this(home, folder, runAs, recovery.settings(), Recovery.LIMIT, recovery.isLowPriority());
    }

    /** A server that nobody changes anything in. A former version's settings may have no room for locks of all of its tables. */
    static Postmaster readOnly(PgHome home, DataFolder folder, RunAs runAs) throws IOException {
        var settings = new ArrayList<>(List.of("default_transaction_read_only=on"));
        Path altered = folder.pgdata().resolve("postgresql.auto.conf");
        if (!Files.exists(altered) || !Files.readString(altered).contains(Settings.LOCKS)) {
            settings.add(Settings.LOCKS + "=" + Settings.MAX_LOCKS);
        }
        return new Postmaster(home, folder, runAs, settings, START_LIMIT, false);
    }

    /** @param settings of its start only, such as {@code recovery_target_action=promote} */
    private Postmaster(
            PgHome home,
            DataFolder folder,
            RunAs runAs,
            List<String> settings,
            Duration startLimit,
            boolean isLowPriority) {
        this.home = home;
        this.folder = folder;
        this.runAs = runAs;
        this.settings = List.copyOf(settings);
        this.startLimit = startLimit;
        this.isLowPriority = isLowPriority;
    }

    /** Takes over a server that outlived its owner; stops it when it cannot be used; forgets one that is none. */
    Optional<PostmasterFile> adopt(boolean durable) throws IOException {
        var found = PostmasterFile.read(folder.pgdata());
        if (found.isEmpty() || !Processes.alive(found.get().pid())) {
            return Optional.empty();
        }
        long pid = found.get().pid();
        Optional<Boolean> works = Processes.worksIn(pid, folder.pgdata());
        if (works.equals(Optional.of(false))) {
            disown(found.get());
            return Optional.empty();
        }
        // A server that is starting gets ready and one that is stopping ends: both are only a matter of waiting.
        Processes.await(
                START_LIMIT,
                () -> !Processes.alive(pid)
                        || PostmasterFile.read(folder.pgdata())
                                .filter(file -> file.ready())
                                .isPresent());
        var file = PostmasterFile.read(folder.pgdata()).filter(now -> now.pid() == pid && Processes.alive(pid));
        if (file.isEmpty()) {
            return Optional.empty();
        }
        var answer = folder.hasPassword()
                ? new Login(file.get().port(), folder.password()).ask(folder.pgdata(), durable)
                : Login.Answer.REFUSED;
        if (answer == Login.Answer.OURS) {
            return file;
        }
        if (works.isPresent()) {
            log.warn(
                    "PostgreSQL process {} of {} cannot be taken over ({}) and is restarted",
                    pid,
                    folder.root(),
                    answer);
            stop(pid);
        } else {
            disown(file.get());
        }
        return Optional.empty();
    }

    /** A foreign process has got the number by chance: PostgreSQL would take it for a server of this folder. */
    private void disown(PostmasterFile file) throws IOException {
        log.info("Process {} is not the server of {}: a stale postmaster.pid", file.pid(), folder.root());
        Path path = PostmasterFile.in(folder.pgdata());
        Folders.write(path, file.withPid(deadPid()), "rw-------");
        runAs.own(path);
    }

    private static long deadPid() throws IOException {
        Process brief = new ProcessBuilder("true").start();
        brief.onExit().join();
        return brief.pid();
    }

    PostmasterFile start() throws IOException {
        return start(0);
    }

    /** @param fixedPort the port it must have; any that is free if it is 0 */
    PostmasterFile start(int fixedPort) throws IOException {
        String words = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = fixedPort == 0 ? freePort() : fixedPort;
            var started = launch(port);
            if (started.isPresent()) {
                return started.get();
            }
            words = Files.readString(folder.startLog());
            if (words.contains("pre-existing shared memory block")) {
                endOrphans();
            } else if (!taken(port)) {
                break;
            }
        }
        throw new EmbeddedException("PostgreSQL did not start in " + folder.root() + ": mend what it says, \""
                + new Command.Outcome(1, words + latestLog()).lastWords() + "\".");
    }

    /** A killed server whose parent has not collected it yet is dead, but PostgreSQL would take it for alive. */
    private void forgetUncollected() throws IOException {
        var found = PostmasterFile.read(folder.pgdata());
        if (found.isPresent()
                && !Processes.alive(found.get().pid())
                && ProcessHandle.of(found.get().pid()).isPresent()) {
            disown(found.get());
        }
    }

    private Optional<PostmasterFile> launch(int port) throws IOException {
        forgetUncollected();
        // Appended to, so that it can be emptied while the server runs.
        Files.deleteIfExists(folder.startLog());
        var before =
                PostmasterFile.read(folder.pgdata()).map(PostmasterFile::text).orElse("");
        var words = new ArrayList<>(ownSession());
        if (isLowPriority) {
            Command.find("nice").ifPresent(nice -> words.addAll(List.of(nice.toString(), "-n", "10")));
        }
        words.addAll(runAs.command(List.of(
                home.program("postgres").toString(),
                "-D",
                folder.pgdata().toString(),
                "-c",
                "port=" + port,
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=")));
        settings.forEach(setting -> words.addAll(List.of("-c", setting)));
        var builder = new ProcessBuilder(words)
                .directory(folder.root().toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.startLog().toFile()));
        Command.cleanEnvironment(builder);
        Process process = builder.start();
        runAs.own(folder.startLog());
        boolean inTime = Processes.await(startLimit, () -> !process.isAlive() || readyAt(port, before));
        if (!inTime) {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            throw new EmbeddedException("PostgreSQL was not ready within " + startLimit.toMinutes()
                    + " minutes: look into " + folder.pgdata().resolve("log") + ".");
        }
        return PostmasterFile.read(folder.pgdata()).filter(file -> process.isAlive() && file.ready());
    }

    private boolean readyAt(int port, String before) {
        return PostmasterFile.read(folder.pgdata())
                .filter(file ->
                        file.ready() && file.port() == port && !file.text().equals(before))
                .isPresent();
    }

    /** In a session of its own no key pressed in the terminal reaches the server. */
    private static List<String> ownSession() {
        return Command.find("setsid")
                .map(setsid -> List.of(setsid.toString()))
                .orElseGet(() -> List.of("perl", "-MPOSIX=setsid", "-e", "setsid(); exec { $ARGV[0] } @ARGV", "--"));
    }

    /** Children of a killed server that have not noticed its death; recovery repairs whatever they were doing. */
    private void endOrphans() {
        if (!Processes.await(
                ORPHANS_LIMIT, () -> Processes.workingIn(folder.pgdata()).isEmpty())) {
            Processes.workingIn(folder.pgdata()).forEach(ProcessHandle::destroyForcibly);
            Processes.await(
                    ORPHANS_LIMIT, () -> Processes.workingIn(folder.pgdata()).isEmpty());
        }
    }

    private String latestLog() throws IOException {
        var logs = Folders.list(folder.pgdata().resolve("log"), "postgresql-");
        return logs.isEmpty() ? "" : "\n" + Files.readString(logs.getLast());
    }

    /** Fast shutdown: transactions in progress are rolled back, everything committed is on the disk. */
    void stop(long pid) {
        for (String mode : List.of("fast", "immediate")) {
            if (!Processes.alive(pid)) {
                return;
            }
            Command.of(runAs.command(List.of(
                            home.program("pg_ctl").toString(),
                            "stop",
                            "-D",
                            folder.pgdata().toString(),
                            "-m",
                            mode,
                            "-W")))
                    .run(STOP_LIMIT);
            if (Processes.await(STOP_LIMIT, () -> !Processes.alive(pid))) {
                // The process that writes the log outlives the server for a moment.
                Processes.await(
                        ORPHANS_LIMIT,
                        () -> Processes.workingIn(folder.pgdata()).isEmpty());
                return;
            }
        }
        throw new EmbeddedException(
                "PostgreSQL process " + pid + " does not stop: end it with kill -QUIT " + pid + ".");
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private static boolean taken(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return !socket.isBound();
        } catch (IOException e) {
            return true;
        }
    }
}
