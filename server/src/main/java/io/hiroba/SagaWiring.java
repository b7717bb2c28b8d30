package io.hiroba;

import io.hiroba.saga.Roles;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.workflow.Workflows;

/** The saga feature, wired. */
final class SagaWiring {

    final LocalSteps local = new LocalSteps();
    final Workflows workflows;
    final Roles roles;
    final Engine engine;
    final Sagas sagas;

    SagaWiring(Platform platform, SagaConfig config) {
        var db = platform.db();
        workflows = new Workflows(db);
        roles = new Roles(db);
        engine = new Engine(new Engine.Parts(db, platform.clock(), platform.ids(), workflows, local), config);
        sagas = new Sagas(db, engine, workflows, roles);
    }
}
