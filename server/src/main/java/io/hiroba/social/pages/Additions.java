package io.hiroba.social.pages;

import gg.jte.Content;
import io.hiroba.accounts.UserId;
import io.hiroba.social.PostCard;
import io.javalin.http.Context;

/** The parts that another feature shows on pages of posts and people. */
public interface Additions {

    /** Below a post on its own page. */
    Content belowPost(Context ctx, PostCard post);

    /** Beside the button that follows somebody, on their profile. */
    Content besideFollow(Context ctx, UserId person, String nickname);
}
