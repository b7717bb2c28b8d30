package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.agents.AgentPauseStore.Availability;
import io.hiroba.agents.Agents.Found;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pages on which admins pause agents, all or one, and set their quiet hours, and owners do with theirs. */
public final class AgentPausePages implements Routes {

    static final String PATH = "/admin/agents";

    private static final String OWN = AgentPages.PATH + "/{id}/pauses";

    private static final int MAX_SHOWN = 200;

    private final Shell shell;
    private final Readers readers;
    private final Agents agents;
    private final AgentPauses pauses;

    AgentPausePages(Shell shell, Readers readers, Agents agents, AgentPauses pauses) {
        this.shell = shell;
        this.readers = readers;
        this.agents = agents;
        this.pauses = pauses;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::show);
        routes.post(PATH + "/pause", ctx -> pauseAll(ctx, false));
        routes.post(PATH + "/end", ctx -> pauseAll(ctx, true));
        routes.post(PATH + "/resume", this::resumeAll);
        routes.get(OWN, this::showOne);
        for (var one : List.of(PATH + "/{id}", OWN)) {
            routes.post(one + "/pause", ctx -> pause(ctx, false));
            routes.post(one + "/end", ctx -> pause(ctx, true));
            routes.post(one + "/resume", this::resume);
            routes.post(one + "/quiet-hours", this::setQuiet);
        }
    }

    /** The page that the form is on. */
    private static String back(Context ctx) {
        return ctx.path().startsWith(AgentPages.PATH) ? AgentPages.PATH + "/" + id(ctx) + "/pauses" : PATH;
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }

    private void show(Context ctx) {
        var all = pauses.all(Caller.of(ctx));
        show(ctx, agents.ofAdminsFirst(MAX_SHOWN), all.paused(), true);
    }

    private void showOne(Context ctx) {
        var found = agents.get(id(ctx));
        found.agent().requireChangeableBy(Caller.of(ctx));
        show(ctx, List.of(found), false, false);
    }

    private void show(Context ctx, List<Found> found, boolean isPaused, boolean isAll) {
        var reader = readers.reader(ctx);
        var availability =
                pauses.of(found.stream().map(each -> each.agent().id()).toList());
        shell.page(
                ctx,
                Text.of("agents.pauses"),
                "agents/pauses",
                Map.of(
                        "isPaused",
                        isPaused,
                        "isAll",
                        isAll,
                        "agents",
                        found.stream()
                                .map(each -> PauseCard.of(
                                        each,
                                        availability.getOrDefault(each.agent().id(), Availability.ALWAYS),
                                        isAll,
                                        reader))
                                .toList(),
                        "zone",
                        reader.zone().getId()));
    }

    private void pauseAll(Context ctx, boolean end) {
        pauses.pauseAll(Caller.of(ctx), end);
        shell.seeOther(ctx, PATH, Text.of("agents.all-paused"));
    }

    private void resumeAll(Context ctx) {
        pauses.resumeAll(Caller.of(ctx));
        shell.seeOther(ctx, PATH, Text.of("agents.all-resumed"));
    }

    private void pause(Context ctx, boolean end) {
        pauses.pause(Caller.of(ctx), id(ctx), end);
        shell.seeOther(ctx, back(ctx), Text.of("agents.one-paused"));
    }

    private void resume(Context ctx) {
        pauses.resume(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, back(ctx), Text.of("agents.one-resumed"));
    }

    /** Without times it has no quiet hours. */
    private void setQuiet(Context ctx) {
        var form = Form.of(ctx, "from", "until", "timeZone");
        var none = form.value("from").isBlank() && form.value("until").isBlank();
        pauses.setQuiet(
                Caller.of(ctx),
                id(ctx),
                none ? null : QuietHours.parse(form.value("from"), form.value("until"), form.value("timeZone")));
        shell.seeOther(ctx, back(ctx), Text.of("agents.saved"));
    }

    /** The view of an agent that may be paused. */
    public record PauseCard(
            String path,
            String page,
            String nickname,
            boolean isPaused,
            String open,
            String from,
            String until,
            String zone) {

        static PauseCard of(Found found, Availability availability, boolean isAll, Reader reader) {
            var quiet = Optional.ofNullable(availability.quiet());
            var id = found.agent().id();
            return new PauseCard(
                    isAll ? PATH + "/" + id : AgentPages.PATH + "/" + id + "/pauses",
                    AgentPages.PATH + "/" + id,
                    found.profile().user().nickname().value(),
                    availability.paused(),
                    reader.text("agents.open-runs", "count", availability.open()),
                    quiet.map(each -> each.from().toString()).orElse(""),
                    quiet.map(each -> each.until().toString()).orElse(""),
                    quiet.map(each -> each.zone().getId()).orElse(""));
        }
    }
}
