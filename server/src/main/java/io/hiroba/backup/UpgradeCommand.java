package io.hiroba.backup;

import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedException;
import io.hiroba.embedded.Folders;
import io.hiroba.embedded.MajorUpgrade;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The command {@code upgrade-database}: takes the embedded database to the PostgreSQL of this program, and back. */
public final class UpgradeCommand {

    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final String PROGRAMS = "--programs";

    private final BackupSources sources;
    private final EmbeddedConfig config;
    private final List<String> features;
    private final Language language;
    private final PrintStream out;
    private final PrintStream err;

    /** @param features the schemas that are migrated, in their order */
    public UpgradeCommand(
            BackupSources sources, List<String> features, Language language, PrintStream out, PrintStream err) {
        this.sources = sources;
        this.config = new EmbeddedConfig(sources.database(), EmbeddedConfig.defaultCacheDir(), true);
        this.features = List.copyOf(features);
        this.language = language;
        this.out = out;
        this.err = err;
    }

    /** Runs it; the answer is the exit status. */
    public int run(List<String> words) {
        try {
            if (sources.hasOwnDatabase()) {
                throw new BackupException(Text.of("backup.problem.upgrade-own-database"));
            }
            if (!Files.isDirectory(sources.database())) {
                throw new BackupException(Text.of("backup.problem.no-database", "folder", sources.data()));
            }
            if (words.equals(List.of("--undo"))) {
                say(Text.of("backup.upgrade-undone", "folder", MajorUpgrade.undo(config, this::newArchive)));
            } else if (words.equals(List.of("--finish"))) {
                MajorUpgrade.finish(config);
                say(Text.of("backup.upgrade-finished"));
            } else if (words.isEmpty() || (words.size() == 2 && words.getFirst().equals(PROGRAMS))) {
                upgrade(words.isEmpty() ? Optional.empty() : Optional.of(Path.of(words.getLast())));
            } else if (words.size() == 1 && words.getFirst().startsWith(PROGRAMS + "=")) {
                upgrade(Optional.of(Path.of(words.getFirst().substring(PROGRAMS.length() + 1))));
            } else {
                err.println(Text.of("backup.upgrade-usage").in(language));
                return MISUSED;
            }
            return 0;
        } catch (BackupException e) {
            err.println(e.sentence().in(language));
        } catch (EmbeddedException e) {
            err.println(e.getMessage());
        } catch (IOException | SQLException e) {
            err.println(Text.of("backup.problem.failed", "reason", String.valueOf(e.getMessage()))
                    .in(language));
        }
        return FAILED;
    }

    private void upgrade(Optional<Path> named) throws IOException, SQLException {
        var own = MajorUpgrade.ownMajor(config);
        var major = MajorUpgrade.major(config)
                .orElseThrow(
                        () -> new BackupException(Text.of("backup.problem.no-database", "folder", sources.data())));
        if (major.equals(own)) {
            say(Text.of("backup.upgrade-needless", "version", own));
            return;
        }
        if (Integer.parseInt(major) > Integer.parseInt(own)) {
            throw new BackupException(Text.of("backup.problem.newer-postgresql", "version", major, "own", own));
        }
        var programs = MajorUpgrade.programs(config, major, named)
                .orElseThrow(() -> new BackupException(Text.of("backup.problem.no-programs", "version", major)));
        transfer(programs);
    }

    /** @param programs the folder of the PostgreSQL that made the database */
    void transfer(Path programs) throws IOException, SQLException {
        if (!MajorUpgrade.hasRoom(config)) {
            throw new BackupException(Text.of("backup.problem.no-room", "folder", sources.data()));
        }
        var former = MajorUpgrade.run(
                config,
                programs,
                new ClusterTransfer(features, this::step),
                this::newArchive,
                step -> step(Text.of("server.step." + step.name().toLowerCase(Locale.ROOT))));
        say(Text.of("backup.upgraded", "version", MajorUpgrade.ownMajor(config), "folder", former));
    }

    /** The log of another server must not be archived as the continuation of this one's, whatever stops the machine between. */
    private void newArchive() throws IOException {
        Files.deleteIfExists(sources.data().resolve(BackupWriter.INSTANCE_FILE));
        Folders.sync(sources.data());
    }

    private void step(Text what) {
        out.println("· " + what.in(language));
    }

    private void say(Text what) {
        out.println(what.in(language));
    }
}
