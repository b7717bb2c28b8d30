/**
 * The web shell that features hang their pages on: templates, the layout's data, navigation, themes, notices, forms.
 * It knows no feature: who is looking comes in through {@link io.hiroba.platform.web.Viewers}, and what can be reached
 * through {@link io.hiroba.platform.web.NavItem}s.
 */
@NullMarked
package io.hiroba.platform.web;

import org.jspecify.annotations.NullMarked;
