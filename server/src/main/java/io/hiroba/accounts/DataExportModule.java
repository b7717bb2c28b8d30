package io.hiroba.accounts;

import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import java.time.Duration;
import java.util.List;

/** The exports of people's own data. It is built last, of the parts that all modules contribute. */
public final class DataExportModule implements FeatureModule {

    private static final Duration PROGRESS_INTERVAL = Duration.ofMillis(500);
    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(10);

    private final Platform platform;
    private final AccountsModule accounts;
    private final DataExports exports;
    private final DataExportWorker worker;

    public DataExportModule(
            Platform platform, AccountsModule accounts, ArchiveStorage storage, List<ExportPart> parts) {
        this.platform = platform;
        this.accounts = accounts;
        exports = new DataExports(platform, accounts.sessions(), accounts.audit(), storage, parts);
        worker = new DataExportWorker(platform, accounts.users(), exports, storage, PROGRESS_INTERVAL);
    }

    /**
     * An export as its page shows it.
     *
     * @param facts when it was started, and how large it is and how long it is kept
     * @param percent of the parts that are written
     */
    public record ExportItem(String id, State state, String facts, int percent, List<PartItem> parts) {

        /** The state of an export, for the page. */
        public enum State {
            RUNNING,
            READY,
            FAILED
        }
    }

    /** A part of an export on its page. */
    public record PartItem(String label, String items, boolean isDone) {}

    @Override
    public List<Routes> routes() {
        return List.of(new DataExportRoutes(exports, platform.cursors()));
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return List.of(new DataPages(shell, accounts.readers(), accounts.sessions(), exports));
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(new NavItem(Text.of("accounts.data"), DataPages.PATH, "file", 970, Audience.SIGNED_IN));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(worker.start());
        resources.add(WorkLoop.whenSignalled("expired exports", 1, exports.deleted(), SWEEP_INTERVAL, () -> {
            exports.sweep();
            worker.sweep();
            return false;
        }));
    }
}
