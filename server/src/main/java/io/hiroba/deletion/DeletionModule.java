package io.hiroba.deletion;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.SagaModule;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The deletion of accounts as a part of a node. */
public final class DeletionModule implements FeatureModule {

    private static final String DEFINITION = "account-deletion.yaml";

    private final AccountsModule accounts;
    private final AccountDeletions deletions;
    private final Workflows workflows;
    private final Successions successions;

    public DeletionModule(Platform platform, AccountsModule accounts, SagaModule saga, Successions successions) {
        this.accounts = accounts;
        this.successions = successions;
        deletions = new AccountDeletions(
                platform.db(), accounts.users(), accounts.credentials(), accounts.sessions(), saga.sagas());
        workflows = saga.workflows();
    }

    @Override
    public List<Routes> routes() {
        return List.of(routes -> routes.delete("/api/v1/users/{id}", ctx -> {
            var user = UserId.parse(ctx.pathParam("id"));
            ctx.status(deletions.delete(Caller.of(ctx), user, password(ctx)) ? 204 : 202);
        }));
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return List.of(new DeletionPages(shell, accounts, deletions, successions));
    }

    private record DeleteBody(@Nullable String password) {}

    /** The password in the body, if there is one. */
    private static String password(Context ctx) {
        if (ctx.bodyAsBytes().length == 0) {
            return "";
        }
        return Optional.ofNullable(Body.json(ctx, DeleteBody.class).password()).orElse("");
    }

    @Override
    public List<LocalSagaStep> sagaSteps() {
        return List.of(LocalSagaStep.of(AccountDeletions.SERVICE, "delete-account", deletions::deleteAccount));
    }

    /** Registers the workflow. */
    @Override
    public void start(ResourceStack resources) {
        try (var text = DeletionModule.class.getResourceAsStream(DEFINITION)) {
            if (text == null) {
                throw new IllegalStateException(DEFINITION + " is missing");
            }
            workflows.registerBuiltIn(new String(text.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
