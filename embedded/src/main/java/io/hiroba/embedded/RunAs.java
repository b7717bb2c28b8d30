package io.hiroba.embedded;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The identity under which PostgreSQL runs, which must not be root.
 *
 * <p>The owner of the folder decides, so that a folder stays usable: somebody else's folder is served as that person;
 * root's own is served in a user namespace, where root's files are one's own but root's powers are gone, or, where
 * namespaces are forbidden, is handed to a system user once.
 */
final class RunAs {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int STICKY = 01000;

    /** The last of them keeps the power for access(2), too, by which PostgreSQL looks for its own files. */
    private static final List<String> FILE_POWERS = List.of(
            "--inh-caps=-all,+dac_override", "--ambient-caps=-all,+dac_override", "--securebits=+no_setuid_fixup");

    private final List<String> prefix;
    private final Optional<Account> account;

    private RunAs(List<String> prefix, Optional<Account> account) {
        this.prefix = prefix;
        this.account = account;
    }

    /** A user by numbers. */
    record Account(long uid, long gid, String name) {}

    static long currentUid() {
        return new UnixSystem().getUid();
    }

    static RunAs choose(Path folder, PgHome home) throws IOException {
        return choose(folder, home, Command.find("unshare"));
    }

    static RunAs choose(Path folder, PgHome home, Optional<Path> namespaces) throws IOException {
        if (currentUid() != 0) {
            return new RunAs(List.of(), Optional.empty());
        }
        var owner = ownerOf(folder);
        if (owner.uid() == 0) {
            var namespace = namespaces.map(unshare -> List.of(unshare.toString(), "-U"));
            if (namespace.isPresent() && works(namespace.get(), folder, home)) {
                return new RunAs(namespace.get(), Optional.empty());
            }
            owner = systemAccount()
                    .orElseThrow(() -> new EmbeddedException(
                            "PostgreSQL does not run as root: start Hiroba as a normal user, or allow user namespaces"
                                    + " (unshare -U), or add a system user named postgres."));
            chown(folder, owner);
        }
        return as(owner, folder, home);
    }

    private static RunAs as(Account account, Path folder, PgHome home) {
        for (List<String> prefix : prefixes(account)) {
            if (works(prefix, folder, home)) {
                return new RunAs(prefix, Optional.of(account));
            }
        }
        throw new EmbeddedException("PostgreSQL does not run as root, and as user " + account.name()
                + " it cannot use " + folder + " and " + home.root()
                + ": start Hiroba as a normal user, or choose folders that this user can reach.");
    }

    /** From the least power to the most: the last resort for folders below root's home may pass closed folders. */
    static List<List<String>> prefixes(Account account) {
        var prefixes = new ArrayList<List<String>>();
        Command.find("setpriv").map(Path::toString).ifPresent(setpriv -> {
            var plain = List.of(setpriv, "--reuid=" + account.uid(), "--regid=" + account.gid(), "--clear-groups");
            var powered = new ArrayList<>(plain);
            powered.addAll(FILE_POWERS);
            prefixes.add(plain);
            prefixes.add(List.copyOf(powered));
        });
        Command.find("runuser")
                .ifPresent(runuser -> prefixes.add(List.of(runuser.toString(), "-u", account.name(), "--")));
        return prefixes;
    }

    private static boolean works(List<String> prefix, Path folder, PgHome home) {
        var words = new ArrayList<>(prefix);
        words.addAll(List.of(
                "test",
                "-w",
                folder.toString(),
                "-a",
                "-x",
                home.program("postgres").toString()));
        return Command.of(words).run(LIMIT).succeeded();
    }

    /** A folder of programs that somebody else has named, with its links followed; empty if this is root and others can change it. */
    static Optional<Path> trusted(Path programs) throws IOException {
        Path postgres = programs.resolve("bin").resolve("postgres");
        if (!Files.exists(postgres)) {
            return Optional.empty();
        }
        return currentUid() != 0 || (isRoots(postgres.toRealPath()) && isRoots(programs.toRealPath()))
                ? Optional.of(programs.toRealPath())
                : Optional.empty();
    }

    /** Whether a file and all folders above it are root's, who alone can write them or replace what is in them. */
    private static boolean isRoots(Path file) throws IOException {
        for (Path each = file; each != null; each = each.getParent()) {
            int mode = (Integer) Files.getAttribute(each, "unix:mode");
            boolean isProtected = (mode & WRITABLE_BY_OTHERS) == 0 || (Files.isDirectory(each) && (mode & STICKY) != 0);
            if (ownerOf(each).uid() != 0 || !isProtected) {
                return false;
            }
        }
        return true;
    }

    private static Account ownerOf(Path folder) throws IOException {
        return new Account(
                ((Number) Files.getAttribute(folder, "unix:uid")).longValue(),
                ((Number) Files.getAttribute(folder, "unix:gid")).longValue(),
                Files.getOwner(folder).getName());
    }

    private static Optional<Account> systemAccount() {
        return List.of("postgres", "nobody").stream()
                .flatMap(name -> account(name).stream())
                .findFirst();
    }

    private static Optional<Account> account(String name) {
        var uid = Command.of("id", "-u", name).run(LIMIT);
        var gid = Command.of("id", "-g", name).run(LIMIT);
        return uid.succeeded() && gid.succeeded()
                ? Optional.of(new Account(
                        Long.parseLong(uid.output().strip()),
                        Long.parseLong(gid.output().strip()),
                        name))
                : Optional.empty();
    }

    private static void chown(Path folder, Account account) {
        Command.of("chown", "-R", account.uid() + ":" + account.gid(), folder.toString())
                .run(Duration.ofMinutes(5))
                .orThrow("The folder " + folder + " could not be handed to user " + account.name()
                        + ": choose another one.");
    }

    /** The words of a command that runs under this identity. */
    List<String> command(List<String> words) {
        var all = new ArrayList<>(prefix);
        all.addAll(words);
        return all;
    }

    /** Hands a file that this process has made to the identity. */
    void own(Path file) throws IOException {
        if (account.isPresent()) {
            Files.setAttribute(file, "unix:uid", (int) account.get().uid());
            Files.setAttribute(file, "unix:gid", (int) account.get().gid());
        }
    }
}
