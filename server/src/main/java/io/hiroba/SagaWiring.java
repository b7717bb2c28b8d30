package io.hiroba;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.Background;
import io.hiroba.saga.Roles;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.archive.Archive;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.live.LiveSagas;
import io.hiroba.saga.live.SagaEventRoutes;
import io.hiroba.saga.workflow.Workflows;
import java.nio.file.Path;
import java.util.List;

/** The saga feature, wired. */
final class SagaWiring {

    final LocalSteps local = new LocalSteps();
    final Workflows workflows;
    final Roles roles;
    final Engine engine;
    final Sagas sagas;
    final LiveSagas live;

    private final Platform platform;
    private final SagaConfig config;

    SagaWiring(Platform platform, SagaConfig config) {
        this.platform = platform;
        this.config = config;
        var db = platform.db();
        workflows = new Workflows(db);
        roles = new Roles(db);
        live = new LiveSagas(db, roles);
        engine = new Engine(
                new Engine.Parts(db, platform.clock(), platform.ids(), workflows, local, live::changed), config);
        sagas = new Sagas(db, engine, workflows, roles);
    }

    /** @param data the folder that the archive lies in unless it was given its own */
    Background archive(Path data) {
        var folder = config.archive().toString().isEmpty() ? data.resolve("saga-archive") : config.archive();
        return new Archive(platform.db(), platform.clock(), config.retention(), folder).start();
    }

    List<Routes> routes() {
        return List.of(new SagaEventRoutes(live, platform.streams()));
    }
}
