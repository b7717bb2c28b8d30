package io.hiroba;

import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.pages.RegistrationPages;
import io.hiroba.saga.pages.SagaListPages;
import io.hiroba.saga.pages.SagaPages;
import io.hiroba.saga.pages.ServicePages;
import io.hiroba.saga.pages.Times;
import io.hiroba.saga.pages.WorkflowPages;
import java.util.List;

/** The pages of sagas, wired. */
final class SagaPagesWiring {

    private final Shell shell;
    private final Platform platform;
    private final Times times;
    private final SagaWiring saga;

    SagaPagesWiring(Shell shell, Platform platform, AccountsWiring accounts, SagaWiring saga) {
        this.shell = shell;
        this.platform = platform;
        this.times = new Times(accounts.readers, platform.clock());
        this.saga = saga;
    }

    /** Those whose paths others would take for a name or an id come first. */
    List<Routes> routes() {
        var cursors = platform.cursors();
        return List.of(
                new RegistrationPages(shell, saga.workflows),
                new ServicePages(shell, saga.services, cursors),
                new WorkflowPages(shell, times, saga.workflows, saga.sagas, saga.roles, cursors),
                new SagaListPages(shell, times, saga.queries, saga.workflows, cursors),
                new SagaPages(shell, times, saga.queries, saga.sagas, saga.roles));
    }
}
