package io.hiroba.social.pages;

import gg.jte.Content;
import io.hiroba.accounts.UserId;
import io.hiroba.social.PostCard;
import io.javalin.http.Context;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A registry of the parts that other features show on pages of posts and people; read with each request. */
public final class PageAdditions implements Additions {

    private final List<Additions> all = new CopyOnWriteArrayList<>();

    public void add(Additions additions) {
        all.add(additions);
    }

    @Override
    public Content belowPost(Context ctx, PostCard post) {
        return joined(all.stream().map(each -> each.belowPost(ctx, post)).toList());
    }

    @Override
    public Content besideFollow(Context ctx, UserId person, String nickname) {
        return joined(all.stream()
                .map(each -> each.besideFollow(ctx, person, nickname))
                .toList());
    }

    private static Content joined(List<Content> parts) {
        return output -> parts.forEach(part -> part.writeTo(output));
    }
}
