package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.Approvals;
import io.hiroba.saga.SagaQueries;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.WorkflowWarnings;
import io.hiroba.saga.call.ServiceSecrets;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.http.Context;
import java.util.List;

/** Composes the pages of sagas, and their entry of the navigation for those who have a role. */
public final class SagaPagesModule implements FeatureModule {

    private static final String SAGAS = "/sagas";

    private final Readers readers;
    private final Sagas sagas;
    private final SagaQueries queries;
    private final Approvals approvals;
    private final Workflows workflows;
    private final ServiceSecrets secrets;
    private final SagaRoles roles;
    private final Cursors cursors;

    public SagaPagesModule(
            Readers readers,
            Sagas sagas,
            SagaQueries queries,
            Approvals approvals,
            Workflows workflows,
            ServiceSecrets secrets,
            Cursors cursors) {
        this.readers = readers;
        this.sagas = sagas;
        this.queries = queries;
        this.approvals = approvals;
        this.workflows = workflows;
        this.secrets = secrets;
        this.roles = queries.roles();
        this.cursors = cursors;
    }

    /** Fixed paths come before those with a name or an id in their place. */
    @Override
    public List<Routes> pages(Shell shell) {
        return List.of(
                new NewWorkflowPages(shell, readers, workflows, new WorkflowWarnings(workflows, secrets.services())),
                new WorkflowVersionPages(shell, readers, workflows, queries, cursors),
                new ServicePages(shell, readers, secrets.services(), queries, cursors),
                new ServiceSecretPages(shell, readers, secrets),
                new SagaRolePages(shell, roles, cursors),
                new WorkflowPages(shell, readers, workflows, sagas, roles, cursors),
                new BulkPages(shell, readers, sagas.bulk()),
                new SagaListPages(shell, readers, queries, workflows, roles, cursors),
                new ApprovalPages(shell, readers, approvals, roles),
                new SagaPages(shell, readers, queries, sagas, approvals, roles));
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(
                new NavItem(Text.of("saga.nav-sagas"), SAGAS, "flow", 200, Audience.SIGNED_IN)
                        .covering("/workflows", NewWorkflowPages.PATH, SchedulePages.PATH)
                        .visibleIf(this::hasRole),
                new NavItem(Text.of("saga.roles.title"), SagaRolePages.PATH, "flow", 1012, Audience.ADMIN));
    }

    private boolean hasRole(Context ctx) {
        return Caller.find(ctx)
                .map(caller -> roles.cached(caller) != SagaRole.NONE)
                .orElse(false);
    }
}
