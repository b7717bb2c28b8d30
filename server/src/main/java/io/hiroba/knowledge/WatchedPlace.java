package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.CollectionWatches.Watch;
import io.hiroba.knowledge.WatchStore.WatchedFile;
import io.hiroba.knowledge.documents.GitFetcher;
import io.hiroba.knowledge.documents.PageFetcher;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.task.Lazy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks at watched places: what is there, and what of it may have changed. */
final class WatchedPlace {

    /** The path of the one page of an address. */
    private static final String PAGE = "";

    /** The path of a repository as a whole: an entry without a text that tells which commit was read. */
    private static final String REPOSITORY = "";

    private final PageFetcher fetcher;
    private final SourceIngestion intake;
    private final WatchedFolders folders;
    private final Lazy<GitFetcher> repositories;

    WatchedPlace(PageFetcher fetcher, Lazy<GitFetcher> repositories, SourceIngestion intake, WatchedFolders folders) {
        this.fetcher = fetcher;
        this.repositories = repositories;
        this.intake = intake;
        this.folders = folders;
    }

    /**
     * A file or page of a watched place.
     *
     * @param content null if it is as it was
     */
    record Entry(String path, String fingerprint, @Nullable Content content) {}

    /** The content of a file or page. */
    interface Content {

        byte[] bytes() throws IOException;

        SourceIngestion.Draft draft(byte[] bytes);
    }

    /** Reads a file of a folder. */
    @FunctionalInterface
    interface FileReader {

        SourceIngestion.Draft read(String path, byte[] bytes);
    }

    /**
     * The entries of a place, whose contents can be read until it is closed.
     *
     * @param unread paths of files and folders that could not be looked at: what is there is not missing
     * @param leftOut the number of files for which there was no place
     * @param whole the entry that says that all others were written, and what is missing too; null if there is none
     */
    record Look(
            List<Entry> entries,
            List<String> unread,
            int leftOut,
            @Nullable Entry whole,
            Runnable whenClosed) implements AutoCloseable {

        Look(List<Entry> entries) {
            this(entries, List.of(), 0, null, () -> {});
        }

        @Override
        public void close() {
            whenClosed.run();
        }
    }

    Look look(Watch watch, Map<String, WatchedFile> known) {
        return switch (watch.kind()) {
            case URL -> new Look(page(watch, known.get(PAGE)));
            case GIT -> repository(watch, known);
            case FOLDER -> {
                var listing = folders.list(watch.location(), watch.files(), reader(watch));
                if (listing.entries().isEmpty() && listing.unread().isEmpty() && !known.isEmpty()) {
                    // A folder that is not mounted on this node looks like one that was emptied.
                    throw new KnowledgeProblem(Kind.UNPROCESSABLE, "folder-empty");
                }
                var changed = listing.entries().stream()
                        .map(entry -> isSame(entry, known.get(entry.path()))
                                ? new Entry(entry.path(), entry.fingerprint(), null)
                                : entry)
                        .toList();
                yield new Look(changed, listing.unread(), listing.leftOut(), null, () -> {});
            }
        };
    }

    private FileReader reader(Watch watch) {
        return (path, bytes) -> intake.read(
                        Caller.server(watch.owner()), new SourceInput.File(null, name(path), null, null, bytes))
                .watched(origin(watch, path), path);
    }

    /** The files of a new commit are all read: those that did not change are told by their hash. */
    private Look repository(Watch watch, Map<String, WatchedFile> known) {
        var last = known.get(REPOSITORY);
        var before = last == null ? CommitRead.NONE : CommitRead.of(last.fingerprint());
        var fetched = repositories.get().fetch(watch.location(), before.commit());
        if (fetched.isEmpty()) {
            var same = known.entrySet().stream()
                    .filter(each -> !each.getValue().isMissing())
                    .map(each -> new Entry(each.getKey(), each.getValue().fingerprint(), null))
                    .toList();
            return new Look(same, List.of(), before.leftOut(), null, () -> {});
        }
        var snapshot = fetched.get();
        try {
            var selection = folders.selection(watch.files());
            snapshot.forEach(file -> {
                var path = path(file);
                if (path != null) {
                    selection.add(
                            path,
                            file.size(),
                            () -> new Entry(file.path(), snapshot.commit(), content(watch, snapshot, file)));
                }
            });
            var read = new CommitRead(snapshot.commit(), selection.leftOut());
            var whole = new Entry(REPOSITORY, read.fingerprint(), read);
            return new Look(selection.entries(), List.of(), selection.leftOut(), whole, snapshot::close);
        } catch (IOException e) {
            snapshot.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            snapshot.close();
            throw e;
        }
    }

    /** Null for a name that this machine's encoding of names does not have. */
    private static @Nullable Path path(GitFetcher.GitFile file) {
        try {
            return Path.of(file.path());
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** Ends a look that is under way. */
    void stop() {
        repositories.made().ifPresent(GitFetcher::close);
    }

    private Content content(Watch watch, GitFetcher.Snapshot snapshot, GitFetcher.GitFile file) {
        return new Content() {
            @Override
            public byte[] bytes() throws IOException {
                return snapshot.read(file);
            }

            @Override
            public SourceIngestion.Draft draft(byte[] bytes) {
                return reader(watch).read(file.path(), bytes);
            }
        };
    }

    /** The commit that was read whole, but for what there was no place for; it holds no text itself. */
    private record CommitRead(String commit, int leftOut) implements Content {

        static final CommitRead NONE = new CommitRead("", 0);

        static CommitRead of(String fingerprint) {
            var parts = fingerprint.split(" ", 2);
            return new CommitRead(parts[0], parts.length == 1 ? 0 : Integer.parseInt(parts[1]));
        }

        String fingerprint() {
            return leftOut == 0 ? commit : commit + " " + leftOut;
        }

        @Override
        public byte[] bytes() {
            return commit.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public SourceIngestion.Draft draft(byte[] bytes) {
            throw KnowledgeProblem.invalid("location", Text.of("knowledge.field.unknown"));
        }
    }

    private static boolean isSame(Entry entry, @Nullable WatchedFile known) {
        return known != null && known.fingerprint().equals(entry.fingerprint());
    }

    private List<Entry> page(Watch watch, @Nullable WatchedFile known) {
        var look = fetcher.look(watch.location(), known == null ? "" : known.fingerprint());
        var page = look.page();
        if (look.isGone()) {
            return List.of();
        }
        if (page == null) {
            return List.of(new Entry(PAGE, known == null ? "" : known.fingerprint(), null));
        }
        return List.of(new Entry(PAGE, page.validators(), new Content() {
            @Override
            public byte[] bytes() {
                return page.content();
            }

            @Override
            public SourceIngestion.Draft draft(byte[] bytes) {
                return intake.read(page).watched(origin(watch, PAGE), null);
            }
        }));
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String origin(Watch watch, String path) {
        return "watch:" + Ids.hex(watch.id()) + ":" + path;
    }
}
