package io.hiroba;

import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.saga.RoleRoutes;
import io.hiroba.saga.Roles;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaQueries;
import io.hiroba.saga.SagaRoutes;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.StepRoutes;
import io.hiroba.saga.archive.Archive;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.call.ServiceCalls;
import io.hiroba.saga.call.ServiceRoutes;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.grpc.SagaGrpc;
import io.hiroba.saga.live.LiveSagas;
import io.hiroba.saga.live.SagaEventRoutes;
import io.hiroba.saga.workflow.WorkflowFolder;
import io.hiroba.saga.workflow.WorkflowRoutes;
import io.hiroba.saga.workflow.Workflows;
import java.nio.file.Path;
import java.util.List;

/** The saga feature, wired. */
final class SagaWiring {

    final Workflows workflows;
    final Roles roles;
    final Services services;
    final ServiceCalls calls;
    final Engine engine;
    final Sagas sagas;
    final LiveSagas live;
    final SagaQueries queries;

    private final Platform platform;
    private final SagaConfig config;

    /**
     * @param leases connections for the node's lease alone
     * @param local complete: sagas may be waiting for its steps already
     */
    SagaWiring(Platform platform, Db leases, SagaConfig config, LocalSteps local) {
        this.platform = platform;
        this.config = config;
        var db = platform.db();
        workflows = new Workflows(db);
        roles = new Roles(db);
        live = new LiveSagas(db, roles);
        services = new Services(db, roles, local, config.services());
        calls = new ServiceCalls(local, services, platform.clock());
        engine = new Engine(
                new Engine.Parts(db, leases, platform.clock(), platform.ids(), workflows, calls, live::changed),
                config);
        sagas = new Sagas(db, engine, workflows, roles);
        queries = new SagaQueries(db, workflows, roles);
    }

    /** Registers what the configured folder holds; a file that is no use stops the start. */
    void loadWorkflows() {
        new WorkflowFolder(config.workflows()).load(workflows);
    }

    /** @param data the folder that the archive lies in unless it was given its own */
    WorkLoop archive(Path data) {
        var folder = config.archive().toString().isEmpty() ? data.resolve("saga-archive") : config.archive();
        return new Archive(platform.db(), config.retention(), folder).start();
    }

    List<Routes> routes() {
        return List.of(
                new WorkflowRoutes(workflows, platform.cursors()),
                new SagaRoutes(sagas, queries, platform.idempotency(), platform.cursors()),
                new StepRoutes(queries, platform.cursors(), platform.clock()),
                new RoleRoutes(roles, platform.cursors()),
                new SagaEventRoutes(live, platform.streams()),
                new ServiceRoutes(services, platform.cursors()));
    }

    SagaGrpc grpc() {
        return new SagaGrpc(sagas, queries, workflows, live, platform.idempotency(), platform.cursors());
    }
}
