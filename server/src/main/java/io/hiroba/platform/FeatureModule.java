package io.hiroba.platform;

import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.grpc.GrpcService;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.Shell;
import java.util.List;
import java.util.Map;

/**
 * The module of a feature: its routes, pages, consumers and background work. The constructor builds the facades and starts
 * nothing; {@link #start} is called when every module is built.
 */
public interface FeatureModule {

    /** The routes of its API. Where two match, the first of all modules is taken. */
    default List<Routes> routes() {
        return List.of();
    }

    /** The routes of its pages. */
    default List<Routes> pages(Shell shell) {
        return List.of();
    }

    /** The paths below which other sites may send requests. */
    default List<String> crossSitePaths() {
        return List.of();
    }

    default List<NavItem> navigation() {
        return List.of();
    }

    /** The counts beside its entries of the navigation. */
    default Badges badges() {
        return Badges.NONE;
    }

    /** The consumers of the event log, by the names that their cursors are stored under. */
    default Map<String, EventHandler> consumers() {
        return Map.of();
    }

    /** Its events that programs outside may follow. */
    default List<PublishedEvents> publishedEvents() {
        return List.of();
    }

    /** The sources of the event stream of open pages. */
    default List<LiveSource> liveSources() {
        return List.of();
    }

    default List<GrpcService> grpcServices() {
        return List.of();
    }

    /** The steps of sagas that this feature carries out. */
    default List<LocalSagaStep> sagaSteps() {
        return List.of();
    }

    /** The state of its own parts at this moment. It is called whenever an admin looks, so it must be cheap whatever is stored. */
    default List<SystemCheck> systemChecks() {
        return List.of();
    }

    /** The kinds of its things that people find in the one search. */
    default List<SearchSource> searchSources() {
        return List.of();
    }

    /** Its parts of the archives in which people get their own data. */
    default List<ExportPart> exports() {
        return List.of();
    }

    /** Starts background work and adds it to {@code resources}, which closes it. */
    default void start(ResourceStack resources) {}
}
