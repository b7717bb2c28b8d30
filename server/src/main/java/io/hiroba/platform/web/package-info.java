/**
 * The web shell around the pages of features: templates, layout, navigation, themes, notices and forms. It depends on no
 * feature: {@link io.hiroba.platform.web.Viewers} identifies the reader, and features add {@link
 * io.hiroba.platform.web.NavItem}s.
 */
@NullMarked
package io.hiroba.platform.web;

import org.jspecify.annotations.NullMarked;
