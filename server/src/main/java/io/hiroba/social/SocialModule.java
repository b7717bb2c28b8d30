package io.hiroba.social;

import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserCounts;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.accounts.pages.UserDirectory;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.media.MediaConfig;
import io.hiroba.social.media.MediaModule;
import io.hiroba.social.messages.DirectMessageModule;
import io.hiroba.social.messages.DirectMessages;
import io.hiroba.social.messages.ThreadAdditions;
import io.hiroba.social.pages.PageAdditions;
import io.hiroba.social.pages.SocialPages;
import io.hiroba.social.search.PostSearch;
import io.hiroba.social.search.PostSearchModule;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The module of posts, likes, follows, feeds, search, direct messages and uploaded pictures. */
public final class SocialModule implements FeatureModule {

    private static final int DELETION_BATCH_SIZE = 200;

    private final Platform platform;
    private final Users users;
    private final Readers readers;
    private final UserDirectory directory;
    private final Posts posts;
    private final Likes likes;
    private final Follows follows;
    private final PeopleLists people;
    private final TimelineWindows windows;
    private final PostLists lists;
    private final LivePosts live;
    private final PostSearchModule search;
    private final MediaModule media;
    private final DirectMessageModule messages;
    private final PageAdditions additions = new PageAdditions();

    public SocialModule(
            Platform platform,
            Users users,
            Readers readers,
            UserDirectory directory,
            SocialConfig config,
            MediaConfig mediaConfig) {
        this.platform = platform;
        this.users = users;
        this.readers = readers;
        this.directory = directory;
        var db = platform.db();
        var clock = platform.clock();
        var limits = new SocialRateLimits(platform.throttle(), config);
        posts = new Posts(db, platform.ids(), clock, platform.events(), limits, users);
        likes = new Likes(db, clock, platform.events(), limits);
        follows = new Follows(db, clock, platform.events(), limits, users);
        people = new PeopleLists(db);
        windows = new TimelineWindows(db, clock);
        lists = new PostLists(db, windows);
        live = new LivePosts(db, clock, windows, platform.commits());
        search = new PostSearchModule(platform);
        media = new MediaModule(platform, users, mediaConfig);
        messages = new DirectMessageModule(platform, config, limits);
    }

    /** The counts that lists of users show; without a module, since the accounts are built before it. */
    public static UserCounts userCounts(Db db) {
        return new PeopleLists(db)::counts;
    }

    public Posts posts() {
        return posts;
    }

    public Likes likes() {
        return likes;
    }

    public Follows follows() {
        return follows;
    }

    public PeopleLists people() {
        return people;
    }

    public PostLists lists() {
        return lists;
    }

    public PostSearch search() {
        return search.search();
    }

    public DirectMessages messages() {
        return messages.messages();
    }

    /** The parts that other features show on the pages of posts and people. */
    public PageAdditions additions() {
        return additions;
    }

    /** Adds parts to the pages of private threads. */
    public void addToThreads(ThreadAdditions parts) {
        messages.add(parts);
    }

    /** The folder that the HTTP server keeps the parts of multipart forms in. */
    public Path uploadFolder() {
        return media.uploadFolder();
    }

    /** To be registered before those of accounts, which would take {@code /users/friends} for a user. */
    @Override
    public List<Routes> routes() {
        return Stream.of(
                        search.routes(),
                        List.of(
                                new PostRoutes(posts, likes, platform.idempotency()),
                                new PostListRoutes(lists, platform.cursors()),
                                new FollowRoutes(follows),
                                new PeopleRoutes(people, platform.cursors()),
                                messages.routes()),
                        media.routes())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return Stream.concat(
                        Stream.concat(
                                media.pages(shell).stream(), Stream.of(messages.pages(shell, readers, additions))),
                        SocialPages.of(shell, platform, users, readers, directory, this).stream())
                .toList();
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(
                new NavItem(Text.of("social.home"), "/", "home", 0, Audience.SIGNED_IN).covering("/posts"),
                new NavItem(Text.of("social.newest"), "/newest", "clock", 10, Audience.SIGNED_IN).covering("/tags"),
                messages.navigation());
    }

    @Override
    public Badges badges() {
        return messages::badges;
    }

    @Override
    public Map<String, EventHandler> consumers() {
        var consumers = new HashMap<>(search.consumers());
        consumers.put(TimelineFanout.CONSUMER, new TimelineFanout(platform.commits()));
        return Map.copyOf(consumers);
    }

    @Override
    public List<LiveSource> liveSources() {
        return List.of(live, messages.liveSource());
    }

    @Override
    public List<LocalSagaStep> sagaSteps() {
        return List.of(LocalSagaStep.of("hiroba", "delete-posts", this::deletePosts));
    }

    @Override
    public List<SearchSource> searchSources() {
        return List.of(SocialPages.search(platform, readers, this), messages.searchSource());
    }

    @Override
    public List<PublishedEvents> publishedEvents() {
        return List.of(new PublishedSocialEvents());
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(SocialExportStore.part(platform.db()), media.exportPart());
    }

    /** The storage of archives, beside the pictures, where all nodes see them. */
    public ArchiveStorage archives() {
        return media.archives();
    }

    /** The storage of the files of records, beside the pictures too. */
    public ArchiveStorage attachments() {
        return media.attachments();
    }

    /** A preview of a picture; empty if it cannot be read. */
    public Optional<byte[]> thumbnail(String uploader, Path file) {
        return media.thumbnail(uploader, file);
    }

    /** The storage of the originals of sources, beside the pictures too. */
    public ArchiveStorage originals() {
        return media.originals();
    }

    private JsonNode deletePosts(JsonNode input) {
        var user = UserId.parse(input.path("user").asString());
        var server = Caller.server(UserId.parse(input.path("by").asString()));
        int deleted = RetentionSweep.run(DELETION_BATCH_SIZE, batch -> posts.deleteSome(server, user, batch));
        int sent = RetentionSweep.run(
                DELETION_BATCH_SIZE, batch -> messages.messages().deleteSome(user, batch));
        return JsonMapper.shared().createObjectNode().put("posts", deleted).put("messages", sent);
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(CountRollup.start(platform.db()));
        windows.start(resources);
        resources.add(live.start());
        search.start(resources);
        media.start(resources);
        messages.start(resources);
    }
}
