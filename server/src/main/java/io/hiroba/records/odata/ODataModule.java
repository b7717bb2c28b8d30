package io.hiroba.records.odata;

import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.Projects;
import io.hiroba.records.Records;
import io.hiroba.records.Schemas;
import io.hiroba.records.query.Queries;
import java.util.List;

/** The composition of the OData service. */
public final class ODataModule implements FeatureModule {

    private final ODataRoutes routes;

    public ODataModule(Platform platform, Projects projects, Schemas schemas, Records records, Queries queries) {
        routes = new ODataRoutes(platform.http().publicUrl(), projects, schemas, new EntityReader(records, queries));
    }

    @Override
    public List<Routes> routes() {
        return List.of(routes);
    }
}
