package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Debian archive as this machine reaches it, read by an apt that has its own state, cache and source list.
 *
 * <p>The mirror, the proxy and the trusted keys are the machine's; its hooks are not run and its own state is not
 * touched. Packages come from Debian 13, the release with PostgreSQL 17, and only with a valid signature.
 */
final class DebianArchive {
    private static final String SUITE = "trixie";
    private static final Path KEYRING = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern RELEASE_FILE = Pattern.compile("'([^']+/)dists/([^'/]+)/InRelease'");
    private static final Pattern INSTALLED = Pattern.compile("(?m)^Inst ([a-z0-9+.-]+)");
    private static final Set<String> DEBIAN_SUITES = Set.of(
            "bullseye",
            "bookworm",
            SUITE,
            "forky",
            "duke",
            "sid",
            "oldoldstable",
            "oldstable",
            "stable",
            "testing",
            "unstable");

    private final Path work;
    private boolean binaryIndex;
    private boolean sourceIndex;

    DebianArchive(Path work) {
        this.work = work;
    }

    boolean available() {
        return Command.find("apt-get").isPresent() && Command.find("dpkg-deb").isPresent() && mirror().isPresent();
    }

    /** The address of the main archive; apt's lists tell it, or, where they were never fetched, its configuration. */
    static Optional<String> mirror() {
        var targets = Command.of("apt-get", "indextargets", "--format", "$(REPO_URI)|$(LABEL)|$(COMPONENT)|$(RELEASE)")
                .run(LIMIT);
        Optional<String> listed = targets.succeeded() ? mirrorOfTargets(targets.output()) : Optional.empty();
        return listed.or(() -> mirrorOfUris(
                Command.of("apt-get", "update", "--print-uris").run(LIMIT).output()));
    }

    static Optional<String> mirrorOfTargets(String output) {
        return output.lines()
                .map(line -> List.of(line.strip().split("\\|", -1)))
                .filter(parts -> parts.size() == 4
                        && parts.get(1).equals("Debian")
                        && parts.get(2).equals("main")
                        && plain(parts.get(0)))
                .map(List::getFirst)
                .findFirst();
    }

    static Optional<String> mirrorOfUris(String output) {
        return RELEASE_FILE
                .matcher(output)
                .results()
                .filter(match -> DEBIAN_SUITES.contains(match.group(2)) && plain(match.group(1)))
                .map(match -> match.group(1))
                .findFirst();
    }

    /** An address that cannot add words to a line of a source list. */
    private static boolean plain(String uri) {
        return uri.matches("[a-z+]+:[^\\s\\[\\]\"]+");
    }

    /** Only how the machine reaches the archive; hooks and other settings stay behind. */
    static String transportSettings(String dump) {
        return dump.lines()
                .filter(line -> line.startsWith("Acquire::"))
                .filter(line -> !line.toLowerCase(Locale.ROOT).contains("insecure"))
                .filter(line -> !line.startsWith("Acquire::IndexTargets") && !line.startsWith("Acquire::Changelogs"))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private void configure() throws IOException {
        for (String folder : List.of("state/lists/partial", "cache/archives/partial", "none")) {
            Files.createDirectories(work.resolve(folder));
        }
        Files.writeString(work.resolve("status"), "");
        String transport =
                transportSettings(Command.of("apt-config", "dump").run(LIMIT).output());
        Folders.write(work.resolve("apt.conf"), transport + """
                Dir::Etc::Parts "%1$s/none";
                Dir::Etc::Main "%1$s/none/apt.conf";
                Dir::Etc::SourceList "%1$s/sources.list";
                Dir::Etc::SourceParts "%1$s/none";
                Dir::State "%1$s/state";
                Dir::State::Status "%1$s/status";
                Dir::Cache "%1$s/cache";
                APT::Sandbox::User "root";
                APT::Get::AllowUnauthenticated "false";
                Acquire::AllowInsecureRepositories "false";
                Acquire::Languages "none";
                Acquire::Retries "3";
                """.formatted(work), "rw-------");
    }

    private void refresh(boolean sources) throws IOException {
        if (sources ? sourceIndex : binaryIndex) {
            return;
        }
        if (!binaryIndex) {
            configure();
        }
        String mirror = mirror().orElseThrow(() -> new EmbeddedException("apt knows no Debian mirror"));
        String signed = Files.isReadable(KEYRING) ? "[signed-by=" + KEYRING + "] " : "";
        String line = signed + mirror + " " + SUITE + " main\n";
        Folders.write(work.resolve("sources.list"), "deb " + line + (sources ? "deb-src " + line : ""), "rw-------");
        apt(work, "update", "--error-on=any")
                .orThrow("the package lists of Debian 13 could not be fetched and verified: check the network and the"
                        + " package debian-archive-keyring");
        binaryIndex = true;
        sourceIndex = sources;
    }

    /** Downloads a binary package and unpacks it below a folder without installing it. */
    Path unpackedPackage(String name, Path target) throws IOException {
        refresh(false);
        return unpacked(List.of(name), target);
    }

    /** The same with the packages of libraries that it depends on, down to the C library. */
    Path unpackedWithLibraries(String name, Path target) throws IOException {
        refresh(false);
        var plan = apt(work, "install", "--simulate", "--no-install-recommends", name)
                .orThrow("the package " + name + " is not in the archive");
        return unpacked(programAndLibraries(plan.output(), name), target);
    }

    static List<String> programAndLibraries(String plan, String name) {
        return INSTALLED
                .matcher(plan)
                .results()
                .map(match -> match.group(1))
                .filter(each -> each.equals(name) || each.startsWith("lib") || each.startsWith("zlib"))
                .toList();
    }

    private Path unpacked(List<String> names, Path target) throws IOException {
        Files.createDirectories(target);
        Path downloads = Files.createDirectories(Folders.unique(work, "downloads-"));
        var words = new ArrayList<>(List.of("download"));
        words.addAll(names);
        apt(downloads, words.toArray(String[]::new))
                .orThrow("the package " + names.getFirst() + " could not be downloaded");
        for (String name : names) {
            Path deb = Folders.list(downloads, name + "_").stream()
                    .findFirst()
                    .orElseThrow(() -> new EmbeddedException("apt has left no package " + name));
            Command.of("dpkg-deb", "--extract", deb.toString(), target.toString())
                    .run(LIMIT)
                    .orThrow("the package " + name + " could not be unpacked");
        }
        return target;
    }

    /** Downloads the upstream archive of a source package and holds it against its known checksum. */
    Path sourceTarball(String name, String file, String sha256) throws IOException {
        refresh(true);
        Path downloads = Files.createDirectories(work.resolve("sources"));
        apt(downloads, "source", "--download-only", name).orThrow("the source of " + name + " could not be downloaded");
        Path tarball = downloads.resolve(file);
        if (!Files.exists(tarball)) {
            throw new EmbeddedException("the archive's source of " + name + " is another version than " + file);
        }
        if (!sha256(tarball).equals(sha256)) {
            throw new EmbeddedException("the checksum of " + file + " is not the known one");
        }
        return tarball;
    }

    private Command.Outcome apt(Path folder, String... words) {
        var all = new ArrayList<>(List.of("apt-get", "-q", "-y"));
        all.addAll(List.of(words));
        return Command.of(all)
                .in(folder)
                .with(Map.of("APT_CONFIG", work.resolve("apt.conf").toString()))
                .run(LIMIT);
    }

    static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
