//! The page of the workbench, as `scripts/build-page` built it.

use crate::options::Asset;

/// The page and its parts.
pub const PAGE: [Asset; 4] = [
    Asset {
        path: "",
        content_type: "text/html; charset=utf-8",
        bytes: include_bytes!("../assets/index.html"),
    },
    Asset {
        path: "page.css",
        content_type: "text/css; charset=utf-8",
        bytes: include_bytes!("../assets/page.css"),
    },
    Asset {
        path: "page.js",
        content_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../assets/page.js"),
    },
    Asset {
        path: "NOTICES.txt",
        content_type: "text/plain; charset=utf-8",
        bytes: include_bytes!("../assets/NOTICES.txt"),
    },
];
