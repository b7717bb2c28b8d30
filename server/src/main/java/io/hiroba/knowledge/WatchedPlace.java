package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.CollectionWatches.Watch;
import io.hiroba.knowledge.WatchStore.WatchedFile;
import io.hiroba.knowledge.documents.PageFetcher;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks at watched places: what is there, and what of it may have changed. */
final class WatchedPlace {

    /** The path of the one page of an address. */
    private static final String PAGE = "";

    private final PageFetcher fetcher;
    private final SourceIngestion intake;
    private final WatchedFolders folders;

    WatchedPlace(PageFetcher fetcher, SourceIngestion intake, WatchedFolders folders) {
        this.fetcher = fetcher;
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

    List<Entry> look(Watch watch, Map<String, WatchedFile> known) {
        return switch (watch.kind()) {
            case URL -> page(watch, known.get(PAGE));
            case FOLDER -> {
                var entries = folders.list(
                        watch.location(),
                        watch.files(),
                        (path, bytes) -> intake.read(
                                        Caller.server(watch.owner()),
                                        new SourceInput.File(null, name(path), null, null, bytes))
                                .watched(origin(watch, path), path));
                if (entries.isEmpty() && !known.isEmpty()) {
                    // A folder that is not mounted on this node looks like one that was emptied.
                    throw new KnowledgeProblem(Kind.UNPROCESSABLE, "folder-empty");
                }
                yield entries.stream()
                        .map(entry -> isSame(entry, known.get(entry.path()))
                                ? new Entry(entry.path(), entry.fingerprint(), null)
                                : entry)
                        .toList();
            }
        };
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
